package dev.superstep.engine;

import dev.superstep.context.ContextException;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Explains which parts of the prompt context reach a task: over which edges, and the fate of each
/// item (P17).
public final class ContextExplanation {
  private ContextExplanation() {}

  /// Explains the view of a task that runs, or has run, on the checkpoint `at`.
  ///
  /// @param dispatchId null for a plain activation
  /// @return empty if the checkpoint activates no such task
  /// @throws ContextException if the view cannot be made: the task fails for the same reason
  public static Optional<ContextViews.Explained> of(
      RunHeader run, Program program, Checkpoint at, NodeId node, @Nullable String dispatchId) {
    if (at.pending().isEnd()) {
      return Optional.empty();
    }
    var wanted = new TaskKey(at.superstep() + 1, node, dispatchId);
    var planned = new Planner(program.graph()).plan(at.pending().activations(), wanted.superstep());
    var superstepContext =
        new SuperstepContext(
            run, program, at, Limits.NONE, SuperstepContext.Environment.of(() -> at.stamp().at()));
    return planned.stream()
        .filter(it -> it.key().equals(wanted))
        .findFirst()
        .map(it -> {
          var attemptCall =
              new AttemptCall(superstepContext, it, at.state(), AttemptCall.Attempt.FIRST);
          return new ContextViews(program.contexts(), at).explain(wanted, attemptCall::get);
        });
  }
}
