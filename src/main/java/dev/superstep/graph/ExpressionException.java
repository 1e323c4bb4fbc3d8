package dev.superstep.graph;

/// An expression that could not be evaluated: which one, where, and why. It fails the task.
public final class ExpressionException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String code;

  /// @param code stable code, such as `expression_failed`, `expression_too_large`, `not_json`
  public ExpressionException(String code, String message) {
    super(message);
    this.code = code;
  }

  public String code() {
    return code;
  }
}
