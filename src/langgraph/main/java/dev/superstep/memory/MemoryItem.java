package dev.superstep.memory;

import dev.superstep.state.value.ObjectValue;
import java.time.Instant;

/// Something that is remembered.
///
/// @param key unique in its namespace
/// @param updatedAt when its value was written last
record MemoryItem(
    Namespace namespace, String key, ObjectValue value, Instant createdAt, Instant updatedAt) {}
