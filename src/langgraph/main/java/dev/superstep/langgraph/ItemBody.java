package dev.superstep.langgraph;

import dev.superstep.memory.MemoryItem;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;

/// An item in an answer.
@Schema(name = "Item", description = "Something that an agent remembers")
record ItemBody(
    @Schema(example = "[\"users\", \"ana\"]") List<String> namespace,
    @Schema(example = "food") String key,
    ObjectValue value,
    Instant createdAt,
    Instant updatedAt) {

  static ItemBody of(MemoryItem item) {
    return new ItemBody(
        item.namespace().labels(), item.key(), item.value(), item.createdAt(), item.updatedAt());
  }
}
