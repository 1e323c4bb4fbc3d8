package dev.superstep.engine.node;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// What a task wants to have run.
///
/// @param version empty: the newest
public record ChildRequest(String graph, Optional<Integer> version, ObjectValue input) {}
