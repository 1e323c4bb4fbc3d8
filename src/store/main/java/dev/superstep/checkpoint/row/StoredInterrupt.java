package dev.superstep.checkpoint.row;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Optional;

/// A question to a person, with its status and answer (E35).
///
/// @param answer only if answered
/// @param answeredBy the caller that answered it; empty where no key is needed
public record StoredInterrupt(
    TaskRecord.Interrupt interrupt,
    InterruptedTask place,
    Status status,
    Optional<Value> answer,
    Optional<String> answeredBy,
    Optional<Instant> closedAt) {

  public String id() {
    return interrupt.id();
  }

  /// The task that asks.
  public record InterruptedTask(String run, String graph, TaskKey task) {}

  public enum Status {
    OPEN,
    ANSWERED,
    EXPIRED,
    CANCELLED
  }
}
