package dev.superstep.engine.run;

/// Carries a failure out of routing, a node or a [Summarizer] to where it becomes a value of the
/// task.
public final class TaskFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient TaskError error;

  public TaskFailedException(TaskError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  /// Fails the task for good.
  public static TaskFailedException permanent(String code, String message) {
    return new TaskFailedException(TaskError.permanent(code, message));
  }

  public static TaskFailedException invalidRoute(String message) {
    return permanent("invalid_route", message);
  }

  public TaskError error() {
    return error;
  }
}
