package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.jspecify.annotations.Nullable;

/// Reads a channel's value or an update as the type a reducer needs, or reports its actual type
/// (E18).
final class Typed {
  private Typed() {}

  /// @param current null: the empty list
  public static ListValue list(@Nullable Value current) {
    if (current == null) {
      return ListValue.empty();
    }
    if (current instanceof ListValue list) {
      return list;
    }
    throw new ReduceException("", "the channel holds %s, no array".formatted(named(current)));
  }

  /// @param current null: the empty object
  static ObjectValue object(@Nullable Value current) {
    if (current == null) {
      return ObjectValue.empty();
    }
    if (current instanceof ObjectValue object) {
      return object;
    }
    throw new ReduceException("", "the channel holds %s, no object".formatted(named(current)));
  }

  public static ListValue block(Value update, String reducer) {
    if (update instanceof ListValue list) {
      return list;
    }
    throw new ReduceException("", "%s takes an array, not %s".formatted(reducer, named(update)));
  }

  static ObjectValue members(Value update, String reducer) {
    if (update instanceof ObjectValue object) {
      return object;
    }
    throw new ReduceException("", "%s takes an object, not %s".formatted(reducer, named(update)));
  }

  /// A value's type with its article.
  static String named(Value value) {
    return switch (value) {
      case Value.Null _ -> "null";
      case ListValue _, ObjectValue _, Value.Int _ -> "an " + value.typeName();
      case Value.Bool _, Value.Real _, Value.Text _ -> "a " + value.typeName();
    };
  }
}
