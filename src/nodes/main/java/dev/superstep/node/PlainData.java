package dev.superstep.node;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Converts between values and the plain Java data that functions like to work with.
public final class PlainData {
  private static final int DEPTH_MAX = 100;

  private PlainData() {}

  /// The value of null, a boolean, a number, a text, an `Optional`, an iterable, a map with string
  /// keys, or a [Value].
  ///
  /// @throws IllegalArgumentException for anything else, for numbers that neither int64 nor
  ///   binary64 holds (E46), and for data nested deeper than 100
  public static Value toValue(@Nullable Object data) {
    return toValue(data, 0);
  }

  private static Value toValue(@Nullable Object data, int depth) {
    if (depth > DEPTH_MAX) {
      throw new IllegalArgumentException("data nested deeper than " + DEPTH_MAX);
    }
    return switch (data) {
      case null -> Value.NULL;
      case Value value -> value;
      case Boolean flag -> Value.of(flag.booleanValue());
      case Number number -> number(number);
      case CharSequence text -> Value.of(text.toString());
      case Optional<?> optional -> toValue(optional.orElse(null), depth);
      case Map<?, ?> map -> object(map, depth + 1);
      case Iterable<?> items -> list(items, depth + 1);
      default ->
          throw new IllegalArgumentException(
              "%s is no plain data; use maps, lists, texts, numbers and booleans"
                  .formatted(data.getClass().getName()));
    };
  }

  private static Value number(Number number) {
    return switch (number) {
      case Byte _, Short _, Integer _, Long _ -> Value.of(number.longValue());
      case Float _, Double _ -> Value.of(number.doubleValue());
      case BigInteger integer -> integer(integer);
      case BigDecimal decimal -> decimal(decimal);
      default -> throw new IllegalArgumentException("not a JSON number: " + number.getClass());
    };
  }

  private static Value integer(BigInteger integer) {
    if (integer.bitLength() > 63) {
      throw new IllegalArgumentException("number_not_representable: " + integer);
    }
    return Value.of(integer.longValue());
  }

  private static Value decimal(BigDecimal decimal) {
    double nearest = decimal.doubleValue();
    if (!Double.isFinite(nearest)
        || new BigDecimal(Double.toString(nearest)).compareTo(decimal) != 0) {
      throw new IllegalArgumentException("number_not_representable: " + decimal);
    }
    return Value.of(nearest);
  }

  private static Value object(Map<?, ?> map, int depth) {
    var members = new LinkedHashMap<String, Value>();
    map.forEach((key, value) -> {
      if (!(key instanceof String name)) {
        throw new IllegalArgumentException("a key of an object must be a string: " + key);
      }
      members.put(name, toValue(value, depth));
    });
    return ObjectValue.of(members);
  }

  private static Value list(Iterable<?> items, int depth) {
    var values = new ArrayList<Value>();
    items.forEach(item -> values.add(toValue(item, depth)));
    return ListValue.of(values);
  }

  /// Null, `Boolean`, `Long`, `Double`, `String`, `List` or `Map`; the collections are the caller's
  /// to change.
  public static @Nullable Object toJava(Value value) {
    return switch (value) {
      case Value.Null _ -> null;
      case Value.Bool(var flag) -> flag;
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      case Value.Text(var text) -> text;
      case ListValue list -> toJava(list);
      case ObjectValue object -> toJava(object);
    };
  }

  public static List<@Nullable Object> toJava(ListValue list) {
    var items = new ArrayList<@Nullable Object>();
    list.forEach(item -> items.add(toJava(item)));
    return items;
  }

  public static Map<String, @Nullable Object> toJava(ObjectValue object) {
    var members = new LinkedHashMap<String, @Nullable Object>();
    object.forEach((key, value) -> members.put(key, toJava(value)));
    return members;
  }
}
