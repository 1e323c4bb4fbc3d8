package dev.superstep.graph;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// JSON pointers (RFC 6901) as plain strings; "" is the whole document.
public final class Pointer {
  private Pointer() {}

  public static String child(String parent, String key) {
    return parent + '/' + key.replace("~", "~0").replace("/", "~1");
  }

  public static String child(String parent, int index) {
    return parent + '/' + index;
  }

  /// The value that `pointer` leads to from `root`.
  public static Optional<Value> find(Value root, String pointer) {
    var found = Optional.of(root);
    if (pointer.isEmpty()) {
      return found;
    }
    for (var step : pointer.substring(1).split("/", -1)) {
      var key = step.replace("~1", "/").replace("~0", "~");
      found = found.flatMap(it -> step(it, key));
    }
    return found;
  }

  private static Optional<Value> step(Value parent, String key) {
    return switch (parent) {
      case ObjectValue object -> Optional.ofNullable(object.get(key));
      case ListValue list -> item(list, key);
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> Optional.empty();
    };
  }

  private static Optional<Value> item(ListValue list, String key) {
    if (!key.matches("0|[1-9][0-9]{0,8}")) {
      return Optional.empty();
    }
    int index = Integer.parseInt(key);
    return index < list.size() ? Optional.of(list.get(index)) : Optional.empty();
  }
}
