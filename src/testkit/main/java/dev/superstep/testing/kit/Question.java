package dev.superstep.testing.kit;

import dev.superstep.node.PlainData;
import dev.superstep.testing.MemoryStore;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A question that waits for an answer.
///
/// @param node that asks
/// @param id as the API would show it
/// @param payload what people are shown, as plain Java data
/// @param expiresAt empty: never
public record Question(
    String node,
    int superstep,
    String id,
    String reason,
    @Nullable Object payload,
    Optional<Instant> expiresAt) {

  static Question of(MemoryStore.OpenInterrupt open) {
    var interrupt = open.interrupt();
    return new Question(
        open.task().node().value(),
        open.task().superstep(),
        interrupt.id(),
        interrupt.reason(),
        PlainData.toJava(interrupt.payload()),
        interrupt.expiresAt());
  }
}
