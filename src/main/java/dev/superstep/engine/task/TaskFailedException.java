package dev.superstep.engine.task;

/// Carries a task's failure from the depths of routing, of a node or of a [Summarizer], to where it
/// becomes a value.
public final class TaskFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient TaskError error;

  public TaskFailedException(TaskError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  public static TaskFailedException invalidRoute(String message) {
    return new TaskFailedException(TaskError.permanent("invalid_route", message));
  }

  public TaskError error() {
    return error;
  }
}
