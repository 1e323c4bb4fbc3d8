package dev.superstep.state.value;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads values by name as Java's own types. What is absent and what is null are the same.
///
/// Those with a bare name throw an [IllegalArgumentException] that names the value if it is of
/// another type, and those of them without a default also if there is none. The others take what is
/// of another type for absent: they read what was checked before, or what may be anything.
public interface Accessors {
  @Nullable Value get(String name);

  default boolean has(String name) {
    return get(name) != null;
  }

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

  default Optional<Value> find(String name) {
    return Optional.ofNullable(get(name));
  }

  default Optional<String> findText(String name) {
    return get(name) instanceof Value.Text(var text) ? Optional.of(text) : Optional.empty();
  }

  default String textOrEmpty(String name) {
    return get(name) instanceof Value.Text(var text) ? text : "";
  }

  default boolean isText(String name, String wanted) {
    return get(name) instanceof Value.Text(var text) && text.equals(wanted);
  }

  default boolean isTrue(String name) {
    return Value.TRUE.equals(get(name));
  }

  default Optional<Long> findWhole(String name) {
    return get(name) instanceof Value.Int(var number) ? Optional.of(number) : Optional.empty();
  }

  /// @throws ArithmeticException if the number is no int
  default Optional<Integer> findInt(String name) {
    return findWhole(name).map(Math::toIntExact);
  }

  default Optional<ObjectValue> findObject(String name) {
    return get(name) instanceof ObjectValue object ? Optional.of(object) : Optional.empty();
  }

  default ObjectValue objectOrEmpty(String name) {
    return ObjectValue.orEmpty(get(name));
  }

  default ListValue listOrEmpty(String name) {
    return ListValue.orEmpty(get(name));
  }

  /// The objects in a list, without its other items.
  default List<ObjectValue> objects(String name) {
    return listOrEmpty(name).items(ObjectValue.class).toList();
  }

  /// The strings in a list, without its other items.
  default List<String> texts(String name) {
    return listOrEmpty(name).items(Value.Text.class).map(Value.Text::value).toList();
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
