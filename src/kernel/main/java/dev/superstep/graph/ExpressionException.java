package dev.superstep.graph;

/// Thrown when an expression cannot be evaluated: which one, where, and why. It fails the task.
public final class ExpressionException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final String code;
  private final int line;
  private final int column;

  /// @param code stable code, such as `expression_failed`, `expression_too_large`, `not_json`
  public ExpressionException(String code, String message) {
    this(code, message, 0, 0);
  }

  /// @param line in the text of the expression, from 1; 0: not known
  /// @param column in that line, from 1; 0: not known
  public ExpressionException(String code, String message, int line, int column) {
    super(message);
    this.code = code;
    this.line = line;
    this.column = column;
  }

  /// 0: not known.
  public int line() {
    return line;
  }

  /// 0: not known.
  public int column() {
    return column;
  }

  public String code() {
    return code;
  }
}
