package dev.superstep.engine.node;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// A run that a task asks for.
///
/// @param graph its name, or `#name` for an inline graph of the run's own definition
/// @param version empty: the newest
public record ChildRequest(String graph, Optional<Integer> version, ObjectValue input) {}
