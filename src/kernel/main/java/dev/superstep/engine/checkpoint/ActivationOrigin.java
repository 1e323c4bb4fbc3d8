package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.TaskKey;
import org.jspecify.annotations.Nullable;

/// How a node was activated (P11), which decides what part of the prompt context it gets.
///
/// @param edge id of the edge; "": none, a node's own `goto` or `dispatch` named the target
/// @param source the task that took it, in mode `chain`; null in mode `view`, where every edge
///   filters the run's context, whichever task takes it
public record ActivationOrigin(String edge, @Nullable TaskKey source) {
  /// Value of [#edge] without an edge.
  public static final String NO_EDGE = "";

  /// Value of [#edge] if the edge was not noted. No edge has this id, so only the template passes.
  public static final String UNKNOWN_EDGE = "?";
}
