package dev.superstep.node;

import dev.superstep.engine.run.TaskError;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A step has failed, now or in an earlier attempt. Uncaught, it fails the attempt with the code
/// and the retry hint of what the step has thrown: those of a [NodeException], else `node_failed`.
public final class StepException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient TaskError error;

  /// @param cause null if it is recorded
  StepException(TaskError error, @Nullable Throwable cause) {
    super(error.message(), cause);
    this.error = error;
  }

  static StepException permanent(String code, String message, @Nullable Throwable cause) {
    return new StepException(TaskError.permanent(code, message), cause);
  }

  /// What has failed, for programs.
  public String code() {
    return Objects.requireNonNull(error).code();
  }

  /// The failure as the engine keeps it.
  public TaskError error() {
    return error;
  }
}
