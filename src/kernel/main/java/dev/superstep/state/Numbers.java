package dev.superstep.state;

import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Implements `sum`, `min` and `max`: integers stay integers, a double makes the sum a double, and
/// numbers compare by their exact value.
final class Numbers {
  private static final String OLD = "the channel holds %s, no number";
  private static final String NEW = "the new value is %s, no number";

  private Numbers() {}

  static Value sum(Value current, Value update) {
    if (current instanceof Value.Int(var left) && update instanceof Value.Int(var right)) {
      try {
        return Value.of(Math.addExact(left, right));
      } catch (ArithmeticException e) {
        throw new ReduceException("", "sum leaves the range of 64-bit integers", e);
      }
    }
    double sum = number(update, "sum takes a number, not %s") + number(current, OLD);
    if (!Double.isFinite(sum)) {
      throw new ReduceException("", "sum leaves the range of doubles");
    }
    return Value.of(sum);
  }

  /// What must be added to `before` to make it `after`, exactly.
  public static Value difference(@Nullable Value before, Value after) {
    var old = before == null ? Value.of(0) : before;
    Value difference;
    if (old instanceof Value.Int(var left) && after instanceof Value.Int(var right)) {
      try {
        difference = Value.of(Math.subtractExact(right, left));
      } catch (ArithmeticException e) {
        throw new ReduceException("", "the difference leaves the range of 64-bit integers", e);
      }
    } else {
      double real = number(after, NEW) - number(old, OLD);
      if (!Double.isFinite(real)) {
        throw new ReduceException("", "the difference leaves the range of doubles");
      }
      difference = Value.of(real);
    }
    if (sum(old, difference).equals(after)) {
      return difference;
    }
    throw new ReduceException("", "no number added to the old value makes the new one");
  }

  static Value smaller(@Nullable Value current, Value update) {
    requireOrdered(update, "min");
    return current == null || compare(current, update) <= 0 ? orElse(current, update) : update;
  }

  static Value larger(@Nullable Value current, Value update) {
    requireOrdered(update, "max");
    return current == null || compare(current, update) >= 0 ? orElse(current, update) : update;
  }

  /// By exact value; 1 and 1.0 are equal here.
  static int compareNumbers(Value left, Value right) {
    if (left instanceof Value.Int(var a) && right instanceof Value.Int(var b)) {
      return Long.compare(a, b);
    }
    return exact(left).compareTo(exact(right));
  }

  static boolean isNumber(Value value) {
    return value instanceof Value.Int || value instanceof Value.Real;
  }

  private static Value orElse(@Nullable Value current, Value update) {
    return current == null ? update : current;
  }

  private static void requireOrdered(Value update, String reducer) {
    if (!isNumber(update) && !(update instanceof Value.Text)) {
      throw new ReduceException(
          "", "%s takes a number or a string, not %s".formatted(reducer, Typed.named(update)));
    }
  }

  private static int compare(Value current, Value update) {
    if (current instanceof Value.Text(var left) && update instanceof Value.Text(var right)) {
      return Canonical.KEYS.compare(left, right);
    }
    if (isNumber(current) && isNumber(update)) {
      return compareNumbers(current, update);
    }
    throw new ReduceException(
        "",
        "%s cannot be compared with %s, which the channel holds"
            .formatted(Typed.named(update), Typed.named(current)));
  }

  private static BigDecimal exact(Value number) {
    return switch (number) {
      case Value.Int(var value) -> BigDecimal.valueOf(value);
      case Value.Real(var value) -> new BigDecimal(value);
      case Value.Null _, Value.Bool _, Value.Text _, ListValue _, ObjectValue _ ->
          throw new IllegalArgumentException("no number: " + number.typeName());
    };
  }

  private static double number(Value value, String complaint) {
    if (value instanceof Value.Int(var number)) {
      return number;
    }
    if (value instanceof Value.Real(var number)) {
      return number;
    }
    throw new ReduceException("", complaint.formatted(Typed.named(value)));
  }
}
