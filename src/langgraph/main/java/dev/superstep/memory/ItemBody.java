package dev.superstep.memory;

import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.List;

/// An item in an answer.
record ItemBody(
    List<String> namespace, String key, ObjectValue value, Instant createdAt, Instant updatedAt) {

  static ItemBody of(MemoryItem item) {
    return new ItemBody(
        item.namespace().labels(), item.key(), item.value(), item.createdAt(), item.updatedAt());
  }
}
