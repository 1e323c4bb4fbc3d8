package dev.superstep.expression;

import dev.superstep.expression.ValueType.KnownMembers;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.Maybe;
import dev.superstep.expression.ValueType.ObjectOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import java.util.List;
import java.util.Map;

/// Common types of values, and what follows from two of them.
public final class ValueTypes {
  public static final ValueType STRING = new Text(List.of());
  public static final ValueType LIST = new ListOf(Simple.ANY);
  public static final ValueType OBJECT = new ObjectOf(Map.of(), KnownMembers.OPEN);

  private ValueTypes() {}

  /// An object with these fields and no others.
  public static ValueType closed(Map<String, ValueType> fields) {
    return new ObjectOf(fields, KnownMembers.CLOSED);
  }

  /// What is known of a value that is of one of two types. Costs no more than the nesting of lists:
  /// different objects become an open one.
  @SuppressWarnings("ReferenceEquality") // comparing two large schemas would cost more
  public static ValueType join(ValueType left, ValueType right) {
    if (left == right || isNothing(right)) {
      return left;
    }
    return isNothing(left) ? right : joined(left, right);
  }

  private static ValueType joined(ValueType left, ValueType right) {
    return switch (left) {
      case Text a when right instanceof Text b -> a.or(b);
      case ListOf(var a) when right instanceof ListOf(var b) -> new ListOf(join(a, b));
      case Maybe(var a) when right instanceof Maybe(var b) -> new Maybe(join(a, b));
      case ObjectOf _ when right instanceof ObjectOf -> OBJECT;
      case Text _, ListOf _, Maybe _, ObjectOf _, Simple _ -> Simple.ANY;
    };
  }

  /// Adds nothing to what another value can be, but that it may be absent.
  private static boolean isNothing(ValueType type) {
    return type == Simple.NEVER || type == Simple.NULL;
  }

  /// Whether values of the types can be equal.
  static boolean meet(ValueType left, ValueType right) {
    if (isOpen(left) || isOpen(right)) {
      return true;
    }
    return switch (left) {
      case Text(var some) ->
          right instanceof Text(var others)
              && (some.isEmpty() || others.isEmpty() || some.stream().anyMatch(others::contains));
      case ListOf _ -> right instanceof ListOf;
      case ObjectOf _ -> right instanceof ObjectOf;
      case Simple simple -> simple.equals(right);
      case Maybe _ -> true;
    };
  }

  private static boolean isOpen(ValueType type) {
    return type == Simple.ANY || isNothing(type) || type instanceof Maybe;
  }
}
