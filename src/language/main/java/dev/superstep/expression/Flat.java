package dev.superstep.expression;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.Map;

/// Flattens nested objects to dotted keys (P1); empty objects are leaves.
public final class Flat {
  private Flat() {}

  public static Value of(Value value) {
    if (!(value instanceof ObjectValue object)) {
      return value;
    }
    var flat = new HashMap<String, Value>();
    object.forEach((key, member) -> put(flat, key, member));
    return ObjectValue.of(flat);
  }

  private static void put(Map<String, Value> flat, String key, Value value) {
    if (value instanceof ObjectValue object && !object.isEmpty()) {
      object.forEach((name, member) -> put(flat, key + "." + name, member));
    } else {
      flat.put(key, value);
    }
  }
}
