package dev.superstep.state;

/// An update that a channel cannot take. The fold turns it into a [Fold.Problem] of the task.
public final class ReduceException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String pointer;

  /// @param pointer JSON pointer into the update, "" for the update itself
  public ReduceException(String pointer, String message) {
    super(message);
    this.pointer = pointer;
  }

  ReduceException(String pointer, String message, Throwable cause) {
    super(message, cause);
    this.pointer = pointer;
  }

  public String pointer() {
    return pointer;
  }
}
