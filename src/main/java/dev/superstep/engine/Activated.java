package dev.superstep.engine;

import java.util.List;

/// What one task activates.
///
/// @param ways how each of the activations came about, in the same order; empty where the run keeps
///   no prompt context
/// @param notTaken the events of edges that were not taken because their target could do nothing
///   with the context they lead to it (P13)
record Activated(List<Activation> activations, List<Way> ways, List<Event> notTaken) {
  static final Activated NOTHING = new Activated(List.of(), List.of(), List.of());
}
