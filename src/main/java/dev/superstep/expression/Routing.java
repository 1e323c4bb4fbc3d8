package dev.superstep.expression;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// `dispatch` and `fan_out`: maps that the engine reads as dispatches (E5).
final class Routing {
  private Routing() {}

  static Map<String, Object> dispatch(String node, Object input) {
    return Map.of("node", node, "input", input);
  }

  static Map<String, Object> dispatch(String node, Object input, Object metadata) {
    return Map.of("node", node, "input", input, "metadata", metadata);
  }

  /// One dispatch per item, whose input is the item.
  static List<Map<String, Object>> fanOut(String node, List<?> list) {
    Budget.current().copy(list.size() * 4L);
    return list.stream().map(it -> dispatch(node, it)).toList();
  }

  /// One dispatch per item, whose input is `{key: item}`.
  static List<Map<String, Object>> fanOut(String node, List<?> list, String key) {
    Budget.current().copy(list.size() * 8L);
    return list.stream().map(it -> dispatch(node, single(key, it))).toList();
  }

  private static Map<String, Object> single(String key, Object value) {
    var map = new HashMap<String, Object>();
    map.put(key, value);
    return map;
  }
}
