package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;
import org.jspecify.annotations.Nullable;

/// A dispatch as a node or route asks for it, unchecked: the target may not exist.
///
/// @param id null: the engine derives one from the emitter and the position
public record DispatchRequest(
    String node, ObjectValue input, @Nullable String id, ObjectValue metadata) {}
