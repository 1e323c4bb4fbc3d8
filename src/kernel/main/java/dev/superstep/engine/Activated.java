package dev.superstep.engine;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Event;
import java.util.List;

/// What one task activates.
///
/// @param origins the origin of each of the activations, in order; empty where the run keeps no
///   prompt context
/// @param notTaken the events of edges that were not taken because their target could not use the
///   context that they pass (P13)
record Activated(
    List<Activation> activations, List<ActivationOrigin> origins, List<Event> notTaken) {
  static final Activated NOTHING = new Activated(List.of(), List.of(), List.of());
}
