package dev.superstep.state.value;

import org.jspecify.annotations.Nullable;

/// Reads values by name as Java's own types. What is absent and what is null are the same.
///
/// Each throws an [IllegalArgumentException] that names the value if it is of another type, and
/// those without a default also if there is none.
public interface Accessors {
  @Nullable Value get(String name);

  default String text(String name) {
    return switch (get(name)) {
      case Value.Text(var text) -> text;
      case null, default -> throw refusal("a text", name);
    };
  }

  /// @param absent given if there is none
  default String text(String name, String absent) {
    return isAbsent(name) ? absent : text(name);
  }

  default long whole(String name) {
    return switch (get(name)) {
      case Value.Int(var number) -> number;
      case null, default -> throw refusal("a whole number", name);
    };
  }

  /// @param absent given if there is none
  default long whole(String name, long absent) {
    return isAbsent(name) ? absent : whole(name);
  }

  /// A whole number, too.
  default double decimal(String name) {
    return switch (get(name)) {
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      case null, default -> throw refusal("a number", name);
    };
  }

  /// @param absent given if there is none
  default double decimal(String name, double absent) {
    return isAbsent(name) ? absent : decimal(name);
  }

  default boolean flag(String name) {
    return switch (get(name)) {
      case Value.Bool(var flag) -> flag;
      case null, default -> throw refusal("true or false", name);
    };
  }

  /// @param absent given if there is none
  default boolean flag(String name, boolean absent) {
    return isAbsent(name) ? absent : flag(name);
  }

  /// Empty if there is none.
  default ListValue list(String name) {
    if (isAbsent(name)) {
      return ListValue.of();
    }
    if (get(name) instanceof ListValue list) {
      return list;
    }
    throw refusal("a list", name);
  }

  /// Empty if there is none.
  default ObjectValue object(String name) {
    if (isAbsent(name)) {
      return ObjectValue.empty();
    }
    if (get(name) instanceof ObjectValue object) {
      return object;
    }
    throw refusal("an object", name);
  }

  private boolean isAbsent(String name) {
    var value = get(name);
    return value == null || value instanceof Value.Null;
  }

  private IllegalArgumentException refusal(String wanted, String name) {
    var value = get(name);
    return new IllegalArgumentException(
        value == null
            ? "there is no '%s'; it should be %s".formatted(name, wanted)
            : "'%s' should be %s, and is of type %s".formatted(name, wanted, value.typeName()));
  }
}
