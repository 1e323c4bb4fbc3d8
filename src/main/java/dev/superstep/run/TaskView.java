package dev.superstep.run;

import dev.superstep.engine.TaskError;
import dev.superstep.engine.TaskKey;
import dev.superstep.state.Change;
import dev.superstep.state.Value;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// One task of a run, committed or held.
///
/// @param input of a dispatch
/// @param change what it wrote, held changes included, if it is done
public record TaskView(
    TaskKey key,
    Status status,
    int attempts,
    Optional<Value> input,
    Optional<Change> change,
    Optional<TaskError> error,
    String idempotencyKey,
    Times times) {

  public String id() {
    return key.toString();
  }

  public record Times(Optional<Instant> startedAt, Optional<Instant> finishedAt) {}

  public enum Status {
    RUNNING,
    WAITING,
    SUCCEEDED,
    FAILED,
    INTERRUPTED,
    CANCELLED;

    /// The word of the API.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
