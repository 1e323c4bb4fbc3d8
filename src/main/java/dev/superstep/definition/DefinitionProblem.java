package dev.superstep.definition;

import java.util.Optional;

/// An error or a warning at one location of a definition.
///
/// @param pointer JSON pointer to the location; "" is the whole
/// @param code stable, `[a-z0-9_]+`
/// @param message includes the remedy
/// @param position for an expression: where in its text; once a text was posted, where in that
public record DefinitionProblem(
    String pointer, String code, String message, Optional<Position> position) {

  /// A position in the text of an expression.
  ///
  /// @param line from 1
  /// @param column from 1
  public record Position(int line, int column) {}

  public static DefinitionProblem of(String pointer, String code, String message) {
    return new DefinitionProblem(pointer, code, message, Optional.empty());
  }

  public static DefinitionProblem at(
      String pointer, String code, String message, int line, int column) {
    return new DefinitionProblem(pointer, code, message, Optional.of(new Position(line, column)));
  }

  /// This problem, seen from further out: `prefix` is put before its pointer.
  public DefinitionProblem under(String prefix) {
    return new DefinitionProblem(prefix + pointer, code, message, position);
  }
}
