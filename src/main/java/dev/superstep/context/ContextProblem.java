package dev.superstep.context;

/// An error or a warning about the declaration of a filter (P18).
///
/// @param pointer JSON pointer into what was read
/// @param code stable, `[a-z0-9_]+`
/// @param message includes the remedy
/// @param line of a condition's text, from 1; 0: not about a text
/// @param column in that line, from 1
public record ContextProblem(
    Level level, String pointer, String code, String message, int line, int column) {

  /// How bad it is.
  public enum Level {
    ERROR,
    WARNING
  }

  public boolean isError() {
    return level == Level.ERROR;
  }

  ContextProblem under(String prefix) {
    return new ContextProblem(level, prefix + pointer, code, message, line, column);
  }
}
