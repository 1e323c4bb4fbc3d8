package dev.superstep.expression;

import com.google.common.primitives.UnsignedLong;
import dev.cel.common.values.NullValue;
import dev.superstep.graph.ExpressionException;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Converts CEL's results to a [Value]. Counts as it goes: a result of 500 characters can stand for
/// 10⁹ leaves, because lists share their items.
final class CelResults {
  private final ExpressionLimits.ResultLimits limits;
  private final Sizes sizes = new Sizes();
  private long nodes;
  private long bytes;

  private CelResults(ExpressionLimits.ResultLimits limits) {
    this.limits = limits;
  }

  public static Value convert(Object result, ExpressionLimits.ResultLimits limits) {
    return new CelResults(limits).value(result, 0);
  }

  /// How many values a value consists of.
  public static long weight(Value value) {
    return new Sizes().of(value).nodes();
  }

  private Value value(Object result, int depth) {
    return switch (result) {
      case Boolean flag -> scalar(Value.of(flag.booleanValue()), 5);
      case Long number -> scalar(Value.of(number.longValue()), 8);
      case Double number -> scalar(real(number), 8);
      case String text -> scalar(text(text), text.length() + 2L);
      case NullValue _ -> scalar(Value.NULL, 4);
      case CelValues.ListItems items -> existing(items.value(), depth);
      case CelValues.ObjectMembers members -> existing(members.value(), depth);
      case List<?> list -> list(list, depth + 1);
      case Map<?, ?> map -> object(map, depth + 1);
      default -> other(result, depth);
    };
  }

  private Value other(Object result, int depth) {
    return switch (result) {
      case UnsignedLong number -> scalar(unsigned(number), 8);
      case Instant time -> scalar(Value.of(time.toString()), 30);
      case Duration duration -> scalar(Value.of(seconds(duration)), 20);
      case Optional<?> optional ->
          optional.isPresent() ? value(optional.get(), depth) : scalar(Value.NULL, 4);
      case com.google.protobuf.NullValue _ -> scalar(Value.NULL, 4);
      default -> throw notJson("bytes, types and messages are no JSON; convert them to strings");
    };
  }

  private Value scalar(Value value, long size) {
    count(1, size);
    return value;
  }

  private ListValue list(List<?> list, int depth) {
    checkDepth(depth);
    count(1, 2L + list.size());
    var items = new ArrayList<Value>();
    for (var item : list) {
      items.add(value(item, depth));
    }
    return ListValue.of(items);
  }

  private ObjectValue object(Map<?, ?> map, int depth) {
    checkDepth(depth);
    count(1, 2);
    var members = new HashMap<String, Value>();
    map.forEach((key, member) -> {
      if (!(key instanceof String name)) {
        throw notJson("the keys of an object must be strings");
      }
      text(name);
      count(0, name.length() + 4L);
      members.put(name, value(member, depth));
    });
    return ObjectValue.of(members);
  }

  /// A value of the input, which is returned unchanged.
  private Value existing(Value value, int depth) {
    var size = sizes.of(value);
    checkDepth(depth + size.depth());
    count(size.nodes(), size.bytes());
    return value;
  }

  private void count(long moreNodes, long moreBytes) {
    nodes += moreNodes;
    bytes += moreBytes;
    if (nodes > limits.nodesMax()) {
      throw tooLarge("the result has more than %d values".formatted(limits.nodesMax()));
    }
    if (bytes > limits.bytesMax()) {
      throw tooLarge("the result is larger than %d bytes".formatted(limits.bytesMax()));
    }
  }

  private void checkDepth(int depth) {
    if (depth > limits.depthMax()) {
      throw tooLarge("the result is nested deeper than %d levels".formatted(limits.depthMax()));
    }
  }

  private static Value real(double number) {
    if (!Double.isFinite(number)) {
      throw notJson(number + " is no JSON number");
    }
    return Value.of(number);
  }

  private static Value unsigned(UnsignedLong number) {
    if (number.bigIntegerValue().bitLength() >= Long.SIZE) {
      throw notJson(number + " does not fit into 64 bits with sign");
    }
    return Value.of(number.longValue());
  }

  private static Value text(String text) {
    if (!Json.isStorable(text)) {
      throw notJson("a string contains U+0000 or half of a surrogate pair");
    }
    return Value.of(text);
  }

  /// As CEL's `string(duration)`: seconds with as many decimals as needed.
  static String seconds(Duration duration) {
    var decimal =
        java.math.BigDecimal.valueOf(duration.getSeconds())
            .add(java.math.BigDecimal.valueOf(duration.getNano(), 9))
            .stripTrailingZeros();
    return decimal.toPlainString() + "s";
  }

  private static ExpressionException notJson(String message) {
    return new ExpressionException(ErrorCodes.NOT_JSON, message);
  }

  private static ExpressionException tooLarge(String message) {
    return new ExpressionException(ErrorCodes.TOO_LARGE, message);
  }

  /// Measures values; a shared value is measured once.
  private static final class Sizes {
    private final IdentityHashMap<Value, Size> known = new IdentityHashMap<>();

    /// @param nodes values within the value, itself included
    /// @param bytes when written as JSON, roughly
    /// @param depth levels of lists and objects, 0 for a scalar
    record Size(long nodes, long bytes, int depth) {}

    Size of(Value value) {
      return switch (value) {
        case Value.Text(var text) -> new Size(1, text.length() + 2L, 0);
        case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> new Size(1, 8, 0);
        case ListValue list -> measure(list, list.asList(), 0);
        case ObjectValue object -> {
          long keys = object.asMap().keySet().stream().mapToLong(it -> it.length() + 4L).sum();
          yield measure(object, object.asMap().values(), keys);
        }
      };
    }

    private Size measure(Value value, Iterable<Value> parts, long keys) {
      var found = known.get(value);
      if (found != null) {
        return found;
      }
      long nodes = 1;
      long bytes = 2 + keys;
      int depth = 0;
      for (var part : parts) {
        var size = of(part);
        nodes += size.nodes();
        bytes += size.bytes() + 1;
        depth = Math.max(depth, size.depth());
      }
      var size = new Size(nodes, bytes, depth + 1);
      known.put(value, size);
      return size;
    }
  }
}
