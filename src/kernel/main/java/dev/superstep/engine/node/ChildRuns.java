package dev.superstep.engine.node;

import dev.superstep.engine.checkpoint.ChildStart;
import java.util.Optional;

/// Prepares runs that tasks begin (E41).
@FunctionalInterface
public interface ChildRuns {
  /// Of an engine on its own.
  ChildRuns NONE =
      (_, _) -> {
        throw new IllegalStateException("this engine begins no runs");
      };

  /// Prepares without storing: the run is stored with the outcome of the task.
  ///
  /// @return empty if the graphs cannot be read now
  /// @throws TaskFailedException if there is no such graph, the input does not fit it, or it would
  ///   nest too deeply
  Optional<ChildStart> prepare(NodeCall call, ChildRequest request);
}
