package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.graph.Location;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.graph.Violations;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Flattens the variables and metadata of a prompt context when they are read: `{llm: {model: m}}`
/// becomes `llm.model`. Lists and empty objects are leaves (P1).
public final class DottedKeys {
  private final Map<String, Value> keys = new LinkedHashMap<>();
  private final Violations violations = new Violations();

  private DottedKeys() {}

  /// @param keys dotted key → value
  /// @param problems keys that are blank or mean one variable twice
  public record Flat(ObjectValue keys, List<Violation> problems) {
    public Flat {
      problems = List.copyOf(problems);
    }
  }

  public static Flat flatten(ObjectValue tree) {
    var flat = new DottedKeys();
    flat.add("", "", tree);
    return new Flat(ObjectValue.of(flat.keys), flat.violations.errors());
  }

  /// The [Schema] of such objects in a definition.
  static Optional<Value> read(Value value, Location at) {
    if (!(value instanceof ObjectValue tree)) {
      Schema.wrongType(at, "an object", value);
      return Optional.empty();
    }
    var flat = flatten(tree);
    flat.problems().forEach(at::error);
    return Optional.of(flat.keys());
  }

  private void add(String prefix, String pointer, ObjectValue tree) {
    tree.forEach((key, value) -> {
      var name = prefix + key;
      var at = Pointer.child(pointer, key);
      if (key.isBlank()) {
        violations.error(at, Codes.INVALID_NAME, "a key must not be blank");
      } else if (value instanceof ObjectValue inner && !inner.isEmpty()) {
        add(name + ".", at, inner);
      } else if (keys.putIfAbsent(name, value) != null) {
        violations.error(at, Codes.DUPLICATE, "'%s' is given twice; keep one".formatted(name));
      }
    });
  }
}
