package dev.superstep.expression;

/// A position in a text.
///
/// @param line from 1
/// @param column in code points, from 1
public record Position(int line, int column) {
  public static final Position START = new Position(1, 1);

  /// @param unit UTF-16 index
  public static Position of(String text, int unit) {
    int end = Math.clamp(unit, 0, text.length());
    int lineStart = text.lastIndexOf('\n', end - 1) + 1;
    int line = 1 + (int) text.substring(0, lineStart).chars().filter(it -> it == '\n').count();
    return new Position(line, 1 + text.codePointCount(lineStart, Math.max(lineStart, end)));
  }

  /// @param codePoint index in code points
  public static Position ofCodePoint(String text, int codePoint) {
    int max = text.codePointCount(0, text.length());
    return of(text, text.offsetByCodePoints(0, Math.clamp(codePoint, 0, max)));
  }

  /// This position in a text that itself begins at `start` of a larger one.
  public Position after(Position start) {
    return line == 1
        ? new Position(start.line, start.column + column - 1)
        : new Position(start.line + line - 1, column);
  }

  /// The position at `to`, if this is the one at `from`: costs only the text between them.
  public Position behind(String text, int from, int to) {
    int lines = (int) text.substring(from, to).chars().filter(it -> it == '\n').count();
    return lines == 0
        ? new Position(line, column + text.codePointCount(from, to))
        : new Position(
            line + lines, 1 + text.codePointCount(text.lastIndexOf('\n', to - 1) + 1, to));
  }

  public ExpressionProblem problem(String message) {
    return new ExpressionProblem("", line, column, message);
  }
}
