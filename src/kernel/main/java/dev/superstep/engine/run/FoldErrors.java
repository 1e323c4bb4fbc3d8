package dev.superstep.engine.run;

import dev.superstep.state.Fold;
import dev.superstep.state.value.Value;

/// Describes a change that cannot be folded: its task and location (E20).
public final class FoldErrors {
  private FoldErrors() {}

  /// @param giver a node, `the input` or `the edit`
  public static TaskError of(String giver, Fold.Problem problem) {
    if (problem.channel().isEmpty() && problem.code().equals("reducer_failed")) {
      return TaskError.permanent(
          problem.code(), "%s cannot be taken: %s".formatted(giver, problem.message()));
    }
    return TaskError.permanent(
            problem.code(),
            "channel '%s' cannot take what %s gives it: %s"
                .formatted(problem.channel(), giver, problem.message()))
        .with("channel", Value.of(problem.channel()))
        .with("pointer", Value.of(problem.pointer()));
  }
}
