package dev.superstep.engine.routing;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.task.Activation;
import java.util.List;

/// What one task activates.
///
/// @param ways how each of the activations came about, in the same order; empty where the run keeps
///   no prompt context
/// @param notTaken the events of edges that were not taken because their target could do nothing
///   with the context they lead to it (P13)
public record Activated(
    List<Activation> activations, List<ActivationOrigin> ways, List<Event> notTaken) {
  static final Activated NOTHING = new Activated(List.of(), List.of(), List.of());
}
