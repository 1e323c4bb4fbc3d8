package dev.superstep.json;

import dev.superstep.graph.Pointer;
import dev.superstep.pattern.PatternException;
import dev.superstep.state.ValueCheck.Mismatch;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Checks the size of a schema's patterns before anything is compiled: each one, and their sum.
final class SchemaPatterns {
  /// Positions of all patterns of a schema; a compiled one takes about a hundred bytes for each.
  private static final long POSITIONS_MAX = 20_000;

  private static final int VIOLATIONS_MAX = 20;

  /// Whose members are schemas under names that mean nothing here.
  private static final Set<String> NAMED =
      Set.of("properties", "patternProperties", "$defs", "definitions", "dependentSchemas");

  /// Which hold values, not schemas.
  private static final Set<String> VALUES = Set.of("const", "enum", "default", "examples");

  private final List<Mismatch> violations = new ArrayList<>();
  private long positions;

  private SchemaPatterns() {}

  /// Their errors; the pointers lead to the patterns.
  static List<Mismatch> check(Value schema) {
    var patterns = new SchemaPatterns();
    patterns.schema(schema, "");
    return patterns.violations;
  }

  private void schema(Value value, String pointer) {
    switch (value) {
      case ListValue list -> {
        int i = 0;
        for (var item : list) {
          schema(item, Pointer.child(pointer, i++));
        }
      }
      case ObjectValue object ->
          object.forEach((key, member) -> keyword(key, member, Pointer.child(pointer, key)));
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> {}
    }
  }

  private void keyword(String key, Value member, String pointer) {
    if (key.equals("pattern") && member instanceof Value.Text(var regex)) {
      pattern(regex, pointer);
    } else if (NAMED.contains(key) && member instanceof ObjectValue named) {
      named.forEach((name, it) -> {
        var inside = Pointer.child(pointer, name);
        if (key.equals("patternProperties")) {
          pattern(name, inside);
        }
        schema(it, inside);
      });
    } else if (!VALUES.contains(key)) {
      schema(member, pointer);
    }
  }

  private void pattern(String regex, String pointer) {
    if (violations.size() >= VIOLATIONS_MAX || positions > POSITIONS_MAX) {
      return;
    }
    try {
      positions += LinearPatterns.compile(regex).positions();
      if (positions > POSITIONS_MAX) {
        refuse(
            pointer,
            "the patterns of this schema have more than %d positions together; use fewer, or shorter repetitions"
                .formatted(POSITIONS_MAX));
      }
    } catch (PatternException e) {
      refuse(pointer, String.valueOf(e.getMessage()));
    }
  }

  private void refuse(String pointer, String message) {
    violations.add(new Mismatch(pointer, message));
  }
}
