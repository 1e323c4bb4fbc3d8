package dev.superstep.graph;

import dev.superstep.state.value.ListValue;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// A location in a document, which reports what is wrong there. Its pointer is built when it is
/// needed: most values are right.
public final class Location {
  private final @Nullable Location parent;
  private final String key;
  private final Violations violations;
  private final UnaryOperator<Violation> origin;

  Location(Violations violations, UnaryOperator<Violation> origin) {
    this(null, "", violations, origin);
  }

  private Location(
      @Nullable Location parent,
      String key,
      Violations violations,
      UnaryOperator<Violation> origin) {
    this.parent = parent;
    this.key = key;
    this.violations = violations;
    this.origin = origin;
  }

  /// Where the author wrote what stands here.
  public String pointer() {
    return origin.apply(Violation.of(path(), "", "")).pointer();
  }

  private String path() {
    return parent == null ? "" : Pointer.child(parent.path(), key);
  }

  public Location key(String key) {
    return new Location(this, key, violations, origin);
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
    violations.error(placed(violation));
  }

  public void warn(String code, String message) {
    warn(Violation.of("", code, message));
  }

  /// @param violation its pointer begins here
  public void warn(Violation violation) {
    violations.warn(placed(violation));
  }

  private Violation placed(Violation violation) {
    return origin.apply(violation.under(path()));
  }
}
