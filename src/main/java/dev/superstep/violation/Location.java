package dev.superstep.violation;

import dev.superstep.state.value.ListValue;
import org.jspecify.annotations.Nullable;

/// A location in a document, which reports what is wrong there. Its pointer is built when it is
/// needed: most values are right.
public final class Location {
  private final @Nullable Location parent;
  private final String key;
  private final Violations violations;

  Location(Violations violations) {
    this(null, "", violations);
  }

  private Location(@Nullable Location parent, String key, Violations violations) {
    this.parent = parent;
    this.key = key;
    this.violations = violations;
  }

  public String pointer() {
    return parent == null ? "" : Pointer.child(parent.pointer(), key);
  }

  public Location key(String key) {
    return new Location(this, key, violations);
  }

  public Location item(int index) {
    return key(Integer.toString(index));
  }

  /// The location of an item of a list that may have been written as its only item.
  public Location name(int index) {
    return Pointer.find(violations.document(), pointer()).orElse(null) instanceof ListValue
        ? item(index)
        : this;
  }

  /// Whether an error has been reported of the value here.
  public boolean hasError() {
    return violations.hasErrorAt(pointer());
  }

  public void error(String code, String message) {
    violations.error(pointer(), code, message);
  }

  /// @param violation its pointer begins here
  public void error(Violation violation) {
    violations.error(violation.under(pointer()));
  }

  public void warn(String code, String message) {
    warn(Violation.of("", code, message));
  }

  /// @param violation its pointer begins here
  public void warn(Violation violation) {
    violations.warn(violation.under(pointer()));
  }
}
