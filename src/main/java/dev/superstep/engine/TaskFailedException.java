package dev.superstep.engine;

/// Carries a task's failure from the depths of routing to [Settlement], which makes it a value.
final class TaskFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient TaskError error;

  TaskFailedException(TaskError error) {
    super(error.message(), null, false, false);
    this.error = error;
  }

  static TaskFailedException invalidRoute(String message) {
    return new TaskFailedException(TaskError.permanent("invalid_route", message));
  }

  TaskError error() {
    return error;
  }
}
