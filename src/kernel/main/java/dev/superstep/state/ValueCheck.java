package dev.superstep.state;

import dev.superstep.state.value.Value;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// A declared constraint on a value, such as a JSON Schema.
@FunctionalInterface
public interface ValueCheck {
  ValueCheck NONE = _ -> List.of();

  /// Mismatches in one line.
  int SHOWN_MAX = 10;

  /// What does not match; empty when the value is fine.
  List<Mismatch> check(Value value);

  /// The mismatches, one for each location: several keywords may reject the same value.
  default List<Mismatch> byPointer(Value value) {
    var byPointer = new LinkedHashMap<String, Set<String>>();
    for (var it : check(value)) {
      byPointer.computeIfAbsent(it.pointer(), _ -> new LinkedHashSet<>()).add(it.message());
    }
    return byPointer.entrySet().stream()
        .map(it -> new Mismatch(it.getKey(), String.join("; ", it.getValue())))
        .toList();
  }

  /// The first mismatches in one line.
  static String inOneLine(List<Mismatch> mismatches) {
    return mismatches.stream()
        .limit(SHOWN_MAX)
        .map(it -> "%s: %s".formatted(it.pointer().isEmpty() ? "/" : it.pointer(), it.message()))
        .collect(Collectors.joining("; "));
  }

  /// @param pointer JSON pointer into the checked value
  record Mismatch(String pointer, String message) {}
}
