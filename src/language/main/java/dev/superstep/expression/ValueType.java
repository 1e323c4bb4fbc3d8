package dev.superstep.expression;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// What is known of a value before anything runs. Ints and doubles are one: JSON does not tell them
/// apart, and operators take both.
public sealed interface ValueType {
  /// Types without parts.
  enum Simple implements ValueType {
    /// Nothing is known; it is never wrong.
    ANY,
    /// The items of an empty list.
    NEVER,
    NULL,
    BOOL,
    NUMBER
  }

  /// @param allowed the only possible texts; empty: any
  record Text(List<String> allowed) implements ValueType {
    private static final int ALLOWED_MAX = 100;

    public Text {
      allowed = allowed.size() > ALLOWED_MAX ? List.of() : List.copyOf(allowed);
    }

    Text or(Text other) {
      if (allowed.isEmpty() || other.allowed.isEmpty()) {
        return new Text(List.of());
      }
      var both = new LinkedHashSet<>(allowed);
      both.addAll(other.allowed);
      return new Text(List.copyOf(both));
    }
  }

  record ListOf(ValueType item) implements ValueType {}

  /// @param fields those that are known
  /// @param members whether there may be more
  record ObjectOf(Map<String, ValueType> fields, KnownMembers members) implements ValueType {
    public ObjectOf {
      fields = Map.copyOf(fields);
    }

    boolean lacks(String field) {
      return members == KnownMembers.CLOSED && !fields.containsKey(field);
    }

    ValueType field(String name) {
      return fields.getOrDefault(name, Simple.ANY);
    }
  }

  /// An optional of CEL, as `x.?y` gives it.
  record Maybe(ValueType value) implements ValueType {}

  /// Whether an object has only its known fields.
  enum KnownMembers {
    OPEN,
    CLOSED
  }

  /// As a part of a sentence.
  default String said() {
    return switch (this) {
      case Simple simple ->
          switch (simple) {
            case ANY, NEVER -> "anything";
            case NULL -> "null";
            case BOOL -> "true or false";
            case NUMBER -> "a number";
          };
      case Text _ -> "a string";
      case ListOf(var item) -> item instanceof Text || isScalar(item) ? listOf(item) : "a list";
      case ObjectOf _ -> "an object";
      case Maybe _ -> "an optional";
    };
  }

  private static boolean isScalar(ValueType item) {
    return item == Simple.NUMBER || item == Simple.BOOL;
  }

  private static String listOf(ValueType item) {
    return item instanceof Text
        ? "a list of strings"
        : item == Simple.NUMBER ? "a list of numbers" : "a list of true and false";
  }
}
