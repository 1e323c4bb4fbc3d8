package dev.superstep.checkpoint;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.Checkpoint;
import dev.superstep.engine.ContextFold;
import dev.superstep.engine.Pending;
import dev.superstep.engine.TaskKey;
import dev.superstep.engine.TaskRecord;
import dev.superstep.engine.TaskRecord.Ending;
import dev.superstep.graph.Graph;
import dev.superstep.state.Change;
import dev.superstep.state.Fold;
import dev.superstep.state.GraphState;
import dev.superstep.state.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Rebuilds a checkpoint from the nearest snapshot and the deltas behind it (E45). No user's
/// function runs (E19). For one chain.
final class Rebuild {
  private final Graph graph;
  private final ContextFold contexts;
  private GraphState state = GraphState.empty();
  private Optional<PromptContext> context = Optional.empty();
  private Optional<Pending> pending = Optional.empty();
  private final Map<TaskKey, TaskRecord> held = new HashMap<>();

  private Rebuild(Graph graph, long ordinal) {
    this.graph = graph;
    this.contexts = new ContextFold(graph, ordinal);
  }

  /// @param chain from a row with a snapshot to the one wanted
  /// @throws CorruptCheckpointException if the result does not have the stored hash
  static Checkpoint of(List<Link> chain, Graph graph, long ordinal) {
    var rebuild = new Rebuild(graph, ordinal);
    rebuild.begin(chain.getFirst());
    chain.stream().skip(1).forEach(rebuild::apply);
    return rebuild.checkpoint(chain.getLast());
  }

  private void begin(Link link) {
    var bytes = link.snapshot();
    if (bytes == null) {
      throw new CorruptCheckpointException(
          "checkpoint %d should have a snapshot".formatted(link.number()));
    }
    var snapshot = Snapshot.read(bytes, link.superstep() + 1);
    var content = link.content();
    state = snapshot.state();
    context = snapshot.context().map(it -> timed(it, content, link));
    pending = snapshot.pending().or(content::pending);
    held.putAll(snapshot.held());
  }

  /// The history entries of a superstep get the time of its commit, which was not known when the
  /// snapshot was made.
  private static PromptContext timed(PromptContext context, Content content, Link link) {
    var entries = context.history().size();
    var added =
        switch (link.kind()) {
          case STEP, FINAL -> done(content);
          case HELD, INPUT, UPDATE, FORK -> 0;
        };
    int known = Math.max(0, entries - added);
    var times = context.times().slice(0, Math.min(context.times().size(), known));
    while (times.size() < entries) {
      times = times.plus(Value.of(link.committedAt().toString()));
    }
    return new PromptContext(
        context.template(), context.variables(), context.history(), times, context.metadata());
  }

  private static int done(Content content) {
    return (int)
        content.delta().tasks().stream()
            .filter(it -> it.ending() instanceof Ending.Done && !it.key().node().isReserved())
            .count();
  }

  private void apply(Link link) {
    var content = link.content();
    switch (link.kind()) {
      case STEP, FINAL -> {
        var tasks = content.delta().tasks();
        fold(tasks.stream().map(TaskRecord::changes).toList(), content, link);
        int dropped = content.delta().context().dropped();
        context =
            context.map(it -> contexts.fold(it, tasks, link.committedAt()).withoutOldest(dropped));
        held.clear();
      }
      case INPUT, UPDATE, FORK -> {
        fold(List.of(content.edit()), content, link);
        context = content.delta().context().edited().or(() -> context);
      }
      case HELD -> content.delta().tasks().forEach(it -> held.put(it.key(), it));
    }
    pending = content.pending().or(() -> pending);
  }

  private void fold(List<List<Change>> changes, Content content, Link link) {
    var fold = Fold.replay(graph.channels(), state, content.delta().opaque());
    for (var change : changes) {
      fold.apply(change)
          .ifPresent(problem -> {
            throw new CorruptCheckpointException(
                "checkpoint %d cannot be folded again: %s"
                    .formatted(link.number(), problem.message()));
          });
    }
    state = fold.state();
  }

  private Checkpoint checkpoint(Link link) {
    var rebuilt =
        new Checkpoint(
            link.stamp(),
            state,
            context,
            pending.orElseThrow(
                () -> new CorruptCheckpointException("nothing says what is pending")),
            held,
            link.content().edits());
    if (!rebuilt.stateHash().equals(link.hash())) {
      throw new CorruptCheckpointException(
          "checkpoint %d is stored with state hash %s, but its deltas give %s"
              .formatted(link.number(), link.hash(), rebuilt.stateHash()));
    }
    return rebuilt;
  }
}
