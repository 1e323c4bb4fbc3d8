package dev.superstep.run;

import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One task of a run, committed or held.
///
/// @param input of a dispatch
/// @param change that it wrote, held changes included, if it is done
/// @param spent on models
/// @param child the last run that it has begun, if it has
public record TaskView(
    TaskKey key,
    Status status,
    Calls calls,
    Optional<Value> input,
    Optional<Change> change,
    Optional<TaskError> error,
    TaskTimes times,
    Usage spent,
    Optional<String> child) {

  public String id() {
    return key.toString();
  }

  /// This task with the run that it has begun (E41); null: none.
  public TaskView withChild(@Nullable String run) {
    return run == null
        ? this
        : new TaskView(key, status, calls, input, change, error, times, spent, Optional.of(run));
  }

  /// @param attempts so far
  public record Calls(int attempts, String idempotencyKey) {}

  /// @param waits if it waits for a time
  public record TaskTimes(
      Optional<Instant> startedAt, Optional<Instant> finishedAt, Optional<TaskWait> waits) {}

  /// What a task waits for.
  ///
  /// @param until it goes on then, or asks again
  public record TaskWait(Instant until, WaitReason reason) {}

  public enum WaitReason {
    /// For another attempt.
    RETRY,
    /// For its own time.
    TIMER,
    /// For its turn at a model that has limits.
    MODEL_LIMIT;

    /// The name in the API.
    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public enum Status {
    RUNNING,
    WAITING,
    SUCCEEDED,
    /// Failed, and an error edge or `on_error: continue` handled it (C32).
    HANDLED,
    FAILED,
    INTERRUPTED,
    CANCELLED;

    /// The name in the API.
    public String apiName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
