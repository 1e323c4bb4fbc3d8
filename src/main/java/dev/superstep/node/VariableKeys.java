package dev.superstep.node;

import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.LinkedHashMap;
import java.util.Map;

/// Flattens the `variables` of a node result to dotted keys (P1): lists and empty objects are leaves.
final class VariableKeys {
  private VariableKeys() {}

  static ObjectValue flatten(ResultReader reader, String pointer, ObjectValue variables) {
    var flat = new LinkedHashMap<String, Value>();
    flatten(reader, pointer, "", variables, flat);
    return ObjectValue.of(flat);
  }

  private static void flatten(
      ResultReader reader,
      String pointer,
      String prefix,
      ObjectValue object,
      Map<String, Value> flat) {
    object.forEach(
        (key, value) -> {
          var at = pointer + ResultReader.member(key);
          var name = prefix + key;
          if (key.isBlank()) {
            reader.refuse(at, "a variable needs a name");
          } else if (value instanceof ObjectValue inner && !inner.isEmpty()) {
            flatten(reader, at, name + ".", inner, flat);
          } else if (flat.put(name, value) != null) {
            reader.refuse(at, "variable '%s' is given twice".formatted(name));
          }
        });
  }
}
