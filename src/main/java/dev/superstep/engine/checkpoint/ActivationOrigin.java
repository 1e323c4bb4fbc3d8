package dev.superstep.engine.checkpoint;

import dev.superstep.engine.task.TaskKey;
import org.jspecify.annotations.Nullable;

/// How a node came to be activated (P11): what decides which part of the prompt context it gets.
///
/// @param edge id of the edge; "": none, a node's own `goto` or `dispatch` named the target
/// @param source the task that took it, in mode `chain`; null in mode `view`, where every edge
///   filters the run's context, whoever takes it
public record ActivationOrigin(String edge, @Nullable TaskKey source) {
  /// What [#edge] says where there is none.
  public static final String NO_EDGE = "";

  /// What it says where nobody noted the edge. No edge has this id, so only the template passes.
  public static final String UNKNOWN_EDGE = "?";
}
