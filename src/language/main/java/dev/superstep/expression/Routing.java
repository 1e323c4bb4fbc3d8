package dev.superstep.expression;

import dev.cel.common.values.NullValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Implements `dispatch` and `fan_out`: maps that the engine reads as dispatches (E5).
final class Routing {
  private static final Set<String> KEYS = Set.of("node", "input", "id", "metadata");
  private static final Set<String> OPTIONS = Set.of("id", "metadata");

  private Routing() {}

  static Map<String, Object> dispatch(String node) {
    return Map.of("node", node);
  }

  static Map<String, Object> dispatch(String node, Object input) {
    return Map.of("node", node, "input", input);
  }

  /// @param options `{id, metadata}`, either of them or both; any other map is the metadata itself,
  ///   as it was before there were options
  static Map<String, Object> dispatch(String node, Object input, Object options) {
    var dispatch = new HashMap<String, Object>(dispatch(node, input));
    if (options instanceof Map<?, ?> map && isOptions(map)) {
      map.forEach((key, value) -> dispatch.put((String) key, value));
    } else {
      dispatch.put("metadata", options);
    }
    return dispatch;
  }

  private static boolean isOptions(Map<?, ?> map) {
    return !map.isEmpty()
        && OPTIONS.containsAll(map.keySet())
        && isAbsentOr(String.class, map.get("id"))
        && isAbsentOr(Map.class, map.get("metadata"));
  }

  /// Whether the engine takes the value for a dispatch.
  static boolean isDispatch(Object value) {
    return value instanceof Map<?, ?> map
        && map.get("node") instanceof String
        && KEYS.containsAll(map.keySet())
        && isAbsentOr(Map.class, map.get("input"))
        && isAbsentOr(String.class, map.get("id"))
        && isAbsentOr(Map.class, map.get("metadata"));
  }

  /// Whether it is a list of dispatches and nothing else; an empty one is.
  static boolean isDispatches(Object value) {
    if (!(value instanceof List<?> list)) {
      return false;
    }
    WorkBudget.current().visit(list.size());
    return list.stream().allMatch(Routing::isDispatch);
  }

  private static boolean isAbsentOr(Class<?> type, @Nullable Object value) {
    return value == null || value instanceof NullValue || type.isInstance(value);
  }

  /// One dispatch per item, whose input is the item.
  static List<Map<String, Object>> fanOut(String node, List<?> list) {
    WorkBudget.current().copy(list.size() * 4L);
    return list.stream().map(it -> dispatch(node, it)).toList();
  }

  /// One dispatch per item, whose input is `{key: item}`.
  static List<Map<String, Object>> fanOut(String node, List<?> list, String key) {
    WorkBudget.current().copy(list.size() * 8L);
    return list.stream().map(it -> dispatch(node, single(key, it))).toList();
  }

  private static Map<String, Object> single(String key, Object value) {
    var map = new HashMap<String, Object>();
    map.put(key, value);
    return map;
  }
}
