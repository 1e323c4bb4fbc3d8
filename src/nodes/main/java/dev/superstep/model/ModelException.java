package dev.superstep.model;

import dev.superstep.engine.run.TaskError;

/// Thrown when a chat model gave no usable answer. Carries the failure of the task: why, and
/// whether another attempt may help.
public final class ModelException extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient TaskError error;

  public ModelException(TaskError error, Throwable cause) {
    super(error.message(), cause);
    this.error = error;
  }

  public ModelException(TaskError error) {
    super(error.message());
    this.error = error;
  }

  public TaskError error() {
    return error;
  }
}
