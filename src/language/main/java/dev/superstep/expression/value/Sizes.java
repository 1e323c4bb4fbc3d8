package dev.superstep.expression.value;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.IdentityHashMap;

/// Measures values; a shared value is measured once.
final class Sizes {
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
