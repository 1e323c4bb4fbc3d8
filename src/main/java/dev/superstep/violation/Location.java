package dev.superstep.violation;

import dev.superstep.state.value.ListValue;

/// A location in a document, which reports what is wrong there.
public record Location(String pointer, Violations violations) {

  public Location key(String key) {
    return new Location(Pointer.child(pointer, key), violations);
  }

  public Location item(int index) {
    return new Location(Pointer.child(pointer, index), violations);
  }

  /// The location of an item of a list that may have been written as its only item.
  public Location name(int index) {
    return Pointer.find(violations.document(), pointer).orElse(null) instanceof ListValue
        ? item(index)
        : this;
  }

  public void error(String code, String message) {
    violations.error(pointer, code, message);
  }

  /// @param violation its pointer begins here
  public void error(Violation violation) {
    violations.error(violation.under(pointer));
  }

  public void warn(String code, String message) {
    warn(Violation.of("", code, message));
  }

  /// @param violation its pointer begins here
  public void warn(Violation violation) {
    violations.warn(violation.under(pointer));
  }
}
