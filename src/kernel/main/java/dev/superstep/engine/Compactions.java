package dev.superstep.engine;

import dev.superstep.engine.checkpoint.ChannelSize;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.Change;
import dev.superstep.state.GraphState;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Plans and settles the engine tasks `__compact__:<channel>` (definitions.md, *Compaction*).
///
/// The checkpoint before a superstep determines its compactions, so every replica plans the same
/// ones.
final class Compactions {
  private Compactions() {}

  /// The tasks of the superstep after `at`: due compactions come first, and so are folded first.
  /// Where nothing runs, nothing is compacted.
  public static List<Task> joining(Program program, Checkpoint at, List<Task> tasks) {
    if (program.compactions().isEmpty() || tasks.isEmpty()) {
      return tasks;
    }
    var all = new ArrayList<Task>(tasks.size() + 1);
    for (var compaction : program.compactions()) {
      if (isDue(compaction, at)) {
        var node = compaction.node();
        all.add(new Task(new TaskKey(at.superstep() + 1, node.id(), null), node, null));
      }
    }
    all.addAll(tasks);
    return all;
  }

  private static boolean isDue(Compaction compaction, Checkpoint at) {
    if (!(at.state().get(compaction.channel()) instanceof ListValue list)) {
      return false;
    }
    var size = compaction.when().measure(list);
    var tried = at.pending().tried().get(compaction.channel());
    return compaction.when().isCrossedBy(size)
        && (tried == null || size.hasGrownFrom(tried))
        && compaction.compactor().canCut(list);
  }

  /// The channel sizes at failed tries, after a superstep.
  ///
  /// @param records of the superstep, settled
  /// @param after the state it leaves
  static Map<String, ChannelSize> tried(
      Program program, Checkpoint at, List<TaskRecord> records, GraphState after) {
    if (program.compactions().isEmpty()) {
      return Map.of();
    }
    var tried = new HashMap<String, ChannelSize>();
    for (var compaction : program.compactions()) {
      var channel = compaction.channel();
      boolean isOver =
          after.get(channel) instanceof ListValue list
              && compaction.when().isCrossedBy(compaction.when().measure(list));
      if (isOver) {
        var before = Optional.ofNullable(at.pending().tried().get(channel));
        record(compaction, records)
            .map(it -> attempt(compaction, at, it))
            .orElse(before)
            .ifPresent(it -> tried.put(channel, it));
      }
    }
    return tried;
  }

  private static Optional<TaskRecord> record(Compaction compaction, List<TaskRecord> records) {
    var id = compaction.node().id();
    return records.stream().filter(it -> it.key().node().equals(id)).findFirst();
  }

  /// The size that the channel has to outgrow before the next try: a summarizer that failed, or
  /// whose summary is no shorter, is not called again at once.
  private static Optional<ChannelSize> attempt(
      Compaction compaction, Checkpoint at, TaskRecord record) {
    if (!(at.state().get(compaction.channel()) instanceof ListValue list)) {
      return Optional.empty();
    }
    if (!(record.status() instanceof TaskRecord.TaskStatus.Done(var result))) {
      return Optional.of(compaction.when().measure(list));
    }
    return result.change().cuts().stream()
        .findFirst()
        .map(it -> compaction.when().measure(it.applyTo(list)))
        .filter(compaction.when()::isCrossedBy);
  }

  /// The records of a superstep without invalid compactions: a summary of messages that a sibling
  /// has changed, or that were edited while the superstep was held, is dropped. The next superstep
  /// may try again.
  static List<TaskRecord> admitted(GraphState base, List<TaskRecord> ended) {
    for (var record : ended) {
      if (!cuts(record).isEmpty()) {
        return checked(base, ended);
      }
    }
    return ended;
  }

  private static List<TaskRecord> checked(GraphState base, List<TaskRecord> ended) {
    var admitted = new ArrayList<>(ended);
    for (int i = 0; i < ended.size(); i++) {
      for (var listCompaction : cuts(ended.get(i))) {
        if (!isAdmitted(listCompaction, base, admitted, i)) {
          admitted.set(i, withoutCuts(ended.get(i)));
        }
      }
    }
    return admitted;
  }

  private static boolean isAdmitted(
      ListCompaction listCompaction, GraphState base, List<TaskRecord> records, int owner) {
    if (!(base.get(listCompaction.channel()) instanceof ListValue list)
        || !listCompaction.fits(list)) {
      return false;
    }
    var compactionRange = CompactionRange.of(listCompaction, list);
    for (int i = 0; i < records.size(); i++) {
      // Of two compactions of one channel the first in task order counts.
      boolean earlier = i < owner;
      if (i != owner
          && records.get(i).changes().stream()
              .anyMatch(it ->
                  compactionRange.isEditedBy(it) || (earlier && cutsToo(it, listCompaction)))) {
        return false;
      }
    }
    return true;
  }

  private static boolean cutsToo(Change change, ListCompaction listCompaction) {
    return change.cuts().stream().anyMatch(it -> it.channel().equals(listCompaction.channel()));
  }

  /// The summaries with which a task wants to replace messages.
  public static List<ListCompaction> cuts(TaskRecord record) {
    return record.status() instanceof TaskRecord.TaskStatus.Done(var result)
        ? result.change().cuts()
        : List.of();
  }

  private static TaskRecord withoutCuts(TaskRecord record) {
    return record.status() instanceof TaskRecord.TaskStatus.Done(var result)
        ? record.with(new TaskRecord.TaskStatus.Done(result.with(result.change().withoutCuts())))
        : record;
  }

  /// The items that a compaction presupposes: a channel's items up to the last one it replaces.
  ///
  /// @param ids of the messages among them
  private record CompactionRange(String channel, Set<String> ids) {

    static CompactionRange of(ListCompaction listCompaction, ListValue list) {
      var ids = new HashSet<String>();
      for (int i = 0; i < listCompaction.end(); i++) {
        addId(list.get(i), ids);
      }
      return new CompactionRange(listCompaction.channel(), ids);
    }

    private static void addId(Value item, Set<String> ids) {
      if (item instanceof ObjectValue message && message.get("id") instanceof Value.Text(var id)) {
        ids.add(id);
      }
    }

    boolean isEditedBy(Change change) {
      return change.remove().contains(channel)
          || change.overwrite().has(channel)
          || change.removeMessages().stream().anyMatch(ids::contains)
          || (change.update().get(channel) instanceof ListValue block && upsertsInto(block));
    }

    private boolean upsertsInto(ListValue block) {
      for (var item : block) {
        if (item instanceof ObjectValue message
            && message.get("id") instanceof Value.Text(var id)
            && ids.contains(id)) {
          return true;
        }
      }
      return false;
    }
  }
}
