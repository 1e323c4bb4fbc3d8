package dev.superstep.engine;

import dev.superstep.context.NodeContextType;
import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Ids;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// Adds what the tasks of one superstep contribute to the prompt context (P2, P3): variables by
/// key, a later task wins; then one history entry per executed node, in task order.
public final class ContextFold {
  private final Graph graph;
  private final long ordinal;

  /// @param ordinal the run's ordinal in its thread, from which entry ids derive
  public ContextFold(Graph graph, long ordinal) {
    this.graph = graph;
    this.ordinal = ordinal;
  }

  /// @param records of one committed superstep, in task order
  /// @param at the time of the commit, which all entries get
  public PromptContext fold(PromptContext context, List<TaskRecord> records, Instant at) {
    var folded = context;
    for (var record : records) {
      if (record.key().node().isReserved()) {
        continue; // a compaction is no node and adds no entry
      }
      folded =
          switch (record.status()) {
            case TaskRecord.TaskStatus.Done(var result) ->
                folded
                    .plusVariables(result.variables())
                    .plusEntry(entry(record.key(), result), at.toString());
            case TaskRecord.TaskStatus.Handled(_, var result) ->
                folded.plusVariables(result.variables());
            case TaskRecord.TaskStatus.Failed _,
                TaskRecord.TaskStatus.Rejected _,
                TaskRecord.TaskStatus.Cancelled _,
                TaskRecord.TaskStatus.Unfinished _ ->
                folded;
          };
    }
    return folded;
  }

  /// Variables that more than one of the tasks set.
  public static Set<String> conflicts(List<TaskRecord> records) {
    var writers = new HashMap<String, Integer>();
    for (var record : records) {
      variables(record).forEach((key, _) -> writers.merge(key, 1, Integer::sum));
    }
    var conflicts = new TreeSet<String>();
    writers.forEach((key, count) -> {
      if (count > 1) {
        conflicts.add(key);
      }
    });
    return conflicts;
  }

  private static ObjectValue variables(TaskRecord record) {
    return switch (record.status()) {
      case TaskRecord.TaskStatus.Done(var result) -> result.variables();
      case TaskRecord.TaskStatus.Handled(_, var result) -> result.variables();
      case TaskRecord.TaskStatus.Failed _,
          TaskRecord.TaskStatus.Rejected _,
          TaskRecord.TaskStatus.Cancelled _,
          TaskRecord.TaskStatus.Unfinished _ ->
          ObjectValue.empty();
    };
  }

  public ObjectValue entry(TaskKey key, NodeResult result) {
    var entry =
        ObjectValue.of("id", Ids.entry(ordinal, key))
            .plus("node_id", key.node().value())
            .plus("prompt", result.prompt() == null ? "" : result.prompt())
            .plus("response", result.response() == null ? "" : result.response())
            .plus("superstep", key.superstep())
            .plus("metadata", result.historyMetadata().plusAll(metadata(graph.node(key.node()))));
    return key.dispatchId() == null ? entry : entry.plus("dispatch_id", key.dispatchId());
  }

  private static ObjectValue metadata(Node node) {
    var type = node.contextType().orElseGet(() -> NodeContextType.defaultFor(node.type()).key());
    var metadata = ObjectValue.of("node_type", node.type()).plus("context_type", type);
    return switch (node.type()) {
      case "tool" -> metadata.plus("tool_call", Value.TRUE);
      case "human" -> metadata.plus("human_interaction", Value.TRUE);
      default -> metadata;
    };
  }
}
