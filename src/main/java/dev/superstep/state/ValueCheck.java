package dev.superstep.state;

import dev.superstep.state.value.Value;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// A declared constraint on a value, such as a JSON Schema.
@FunctionalInterface
public interface ValueCheck {
  ValueCheck NONE = _ -> List.of();

  /// All violations; empty when the value is fine.
  List<Violation> check(Value value);

  /// The violations, one for each place: several keywords may complain about the same.
  default List<Violation> byPlace(Value value) {
    var places = new LinkedHashMap<String, Set<String>>();
    for (var it : check(value)) {
      places.computeIfAbsent(it.pointer(), _ -> new LinkedHashSet<>()).add(it.message());
    }
    return places.entrySet().stream()
        .map(it -> new Violation(it.getKey(), String.join("; ", it.getValue())))
        .toList();
  }

  /// @param pointer JSON pointer into the checked value
  record Violation(String pointer, String message) {}
}
