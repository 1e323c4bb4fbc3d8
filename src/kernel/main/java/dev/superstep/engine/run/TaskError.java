package dev.superstep.engine.run;

import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;

/// Why a task failed.
///
/// @param code stable, `[a-z0-9_]+`
/// @param retryAfter the least pause before another attempt, if the callee asked for one
/// @param details free-form; `{}` if there is nothing to add
public record TaskError(
    String code,
    String message,
    Retryable retryable,
    Optional<Duration> retryAfter,
    ObjectValue details) {
  /// The prefix of the prompt variables in which an error edge passes a failure on.
  public static final String VARIABLES = "error.";

  public static TaskError permanent(String code, String message) {
    return new TaskError(code, message, Retryable.NO, Optional.empty(), ObjectValue.empty());
  }

  public static TaskError retryable(String code, String message) {
    return new TaskError(code, message, Retryable.YES, Optional.empty(), ObjectValue.empty());
  }

  public TaskError with(String key, dev.superstep.state.value.Value value) {
    return new TaskError(code, message, retryable, retryAfter, details.plus(key, value));
  }
}
