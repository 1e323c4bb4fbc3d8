package dev.superstep.expression;

/// Why a source does not compile, and where.
///
/// @param pointer JSON pointer to the string within a template; "" for a plain expression
/// @param line within that string, from 1
/// @param column within that line, from 1
public record ExpressionProblem(String pointer, int line, int column, String message) {

  public ExpressionProblem under(String outer) {
    return new ExpressionProblem(outer + pointer, line, column, message);
  }

  @Override
  public String toString() {
    var prefix = pointer.isEmpty() ? "" : pointer + ": ";
    return "%sline %d, column %d: %s".formatted(prefix, line, column, message);
  }
}
