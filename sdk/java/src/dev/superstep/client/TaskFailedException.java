package dev.superstep.client;

import dev.superstep.client.model.TaskFailure;
import java.time.Duration;

/// What a handler of a [Worker] throws to say why. Edges of the node may name the code.
public final class TaskFailedException extends Exception {
  private static final long serialVersionUID = 1;
  private static final int MESSAGE_MAX = 2000;

  private final transient TaskFailure failure;

  public TaskFailedException(String code, String message) {
    this(TaskFailure.of(checked(code), cut(String.valueOf(message))));
  }

  private static String checked(String code) {
    if (!code.matches("[a-z0-9_]{1,64}")) {
      throw new IllegalArgumentException("'" + code + "' is no code: a-z, 0-9 and '_'");
    }
    return code;
  }

  private static String cut(String message) {
    return message.substring(0, Math.min(message.length(), MESSAGE_MAX));
  }

  static TaskFailedException of(Throwable thrown) {
    return thrown instanceof TaskFailedException failed
        ? failed
        : new TaskFailedException("node_failed", thrown.toString()).retryable();
  }

  TaskFailedException(TaskFailure failure) {
    super(failure.code() + ": " + failure.message());
    this.failure = failure;
  }

  /// Leaves it to the retry policy of the node whether there is another attempt.
  public TaskFailedException retryable() {
    return new TaskFailedException(failure.withRetryable(true));
  }

  /// Likewise, with the least pause before it, at most a day.
  public TaskFailedException retryableAfter(Duration pause) {
    if (pause.isNegative() || pause.compareTo(Duration.ofDays(1)) > 0) {
      throw new IllegalArgumentException("a pause is at most a day");
    }
    return new TaskFailedException(
        failure.withRetryable(true).withRetryAfter(pause.toMillis() + "ms"));
  }

  /// As the service has it.
  public TaskFailure failure() {
    return failure;
  }
}
