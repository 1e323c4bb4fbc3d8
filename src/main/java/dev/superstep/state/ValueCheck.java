package dev.superstep.state;

import java.util.List;

/// A declared constraint on a value, such as a JSON Schema.
@FunctionalInterface
public interface ValueCheck {
  ValueCheck NONE = _ -> List.of();

  /// All violations; empty when the value is fine.
  List<Violation> check(Value value);

  /// @param pointer JSON pointer into the checked value
  record Violation(String pointer, String message) {}
}
