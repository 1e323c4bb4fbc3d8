package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.Content;
import dev.superstep.checkpoint.CorruptCheckpointException;
import dev.superstep.checkpoint.Snapshot;
import dev.superstep.context.PromptContext;
import dev.superstep.engine.ContextFold;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Replays a checkpoint from the nearest snapshot and the deltas behind it (E45). No user's
/// function runs (E19). One instance replays one chain.
public final class CheckpointReplay {
  private final Graph graph;
  private final ContextFold contexts;
  private GraphState state = GraphState.empty();
  private Optional<PromptContext> context = Optional.empty();
  private Optional<Pending> pending = Optional.empty();
  private final Map<TaskKey, TaskRecord> held = new HashMap<>();

  private CheckpointReplay(Graph graph, long ordinal) {
    this.graph = graph;
    this.contexts = new ContextFold(graph, ordinal);
  }

  /// @param chain from a row with a snapshot to the one wanted
  /// @throws CorruptCheckpointException if the result does not have the stored hash
  public static Checkpoint of(List<CheckpointRow> chain, Graph graph, long ordinal) {
    var replay = new CheckpointReplay(graph, ordinal);
    replay.begin(chain.getFirst());
    chain.stream().skip(1).forEach(replay::apply);
    return replay.checkpoint(chain.getLast());
  }

  private void begin(CheckpointRow row) {
    var bytes = row.snapshot();
    if (bytes == null) {
      throw new CorruptCheckpointException(
          "checkpoint %d should have a snapshot".formatted(row.number()));
    }
    var snapshot = Snapshot.read(bytes, row.superstep() + 1);
    var content = row.content();
    state = snapshot.state();
    context = snapshot.context().map(it -> timed(it, content, row));
    pending = snapshot.pending().or(content::pending);
    held.putAll(snapshot.held());
  }

  /// The history entries of a superstep get the time of its commit, which was unknown when the
  /// snapshot was made.
  private static PromptContext timed(PromptContext context, Content content, CheckpointRow row) {
    var entries = context.history().size();
    var added =
        switch (row.kind()) {
          case STEP, FINAL -> done(content);
          case HELD, INPUT, UPDATE, FORK -> 0;
        };
    int known = Math.max(0, entries - added);
    var times = context.times().slice(0, Math.min(context.times().size(), known));
    while (times.size() < entries) {
      times = times.plus(Value.of(row.committedAt().toString()));
    }
    return new PromptContext(
        context.template(), context.variables(), context.history(), times, context.metadata());
  }

  private static int done(Content content) {
    return (int)
        content.delta().tasks().stream()
            .filter(it -> it.status() instanceof TaskStatus.Done && !it.key().node().isReserved())
            .count();
  }

  private void apply(CheckpointRow row) {
    var content = row.content();
    switch (row.kind()) {
      case STEP, FINAL -> {
        var tasks = content.delta().tasks();
        fold(tasks.stream().map(TaskRecord::changes).toList(), content, row);
        int dropped = content.delta().context().dropped();
        context =
            context.map(it -> contexts.fold(it, tasks, row.committedAt()).withoutOldest(dropped));
        held.clear();
      }
      case INPUT, UPDATE, FORK -> {
        fold(List.of(content.edit()), content, row);
        context = content.delta().context().edited().or(() -> context);
      }
      case HELD -> content.delta().tasks().forEach(it -> held.put(it.key(), it));
    }
    pending = content.pending().or(() -> pending);
  }

  private void fold(List<List<Change>> changes, Content content, CheckpointRow row) {
    var fold = Fold.replay(graph.channels(), state, content.delta().opaque());
    for (var change : changes) {
      fold.apply(change)
          .ifPresent(problem -> {
            throw new CorruptCheckpointException(
                "checkpoint %d cannot be folded again: %s"
                    .formatted(row.number(), problem.message()));
          });
    }
    state = fold.state();
  }

  private Checkpoint checkpoint(CheckpointRow row) {
    var replayed =
        new Checkpoint(
            row.stamp(),
            state,
            context,
            pending.orElseThrow(
                () -> new CorruptCheckpointException("nothing says what is pending")),
            held,
            row.content().edits());
    if (!replayed.stateHash().equals(row.hash())) {
      throw new CorruptCheckpointException(
          "checkpoint %d is stored with state hash %s, but its deltas give %s"
              .formatted(row.number(), row.hash(), replayed.stateHash()));
    }
    return replayed;
  }
}
