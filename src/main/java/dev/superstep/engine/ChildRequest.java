package dev.superstep.engine;

import dev.superstep.state.ObjectValue;
import java.util.Optional;

/// What a task wants to have run.
///
/// @param version empty: the newest
public record ChildRequest(String graph, Optional<Integer> version, ObjectValue input) {}
