package dev.superstep.server;

import dev.superstep.json.Yaml;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/// What the definitions in `src/server/test/resources/reference` write at each key. They post as
/// valid, a test of the service says so.
final class LanguageExamples {
  private static final Path DEFINITIONS = Path.of("src/server/test/resources/reference");

  /// Within content whose keys the language does not know.
  private static final String FREE = "";

  private final LanguageSchema schema;
  private final Map<String, Value> found = new HashMap<>();

  private LanguageExamples(LanguageSchema schema) {
    this.schema = schema;
  }

  static LanguageExamples read(LanguageSchema schema) throws IOException {
    var examples = new LanguageExamples(schema);
    try (var files = Files.list(DEFINITIONS)) {
      for (var file : files.sorted().toList()) {
        examples.collectPlain(
            Yaml.read(Files.readString(file)),
            schema.table(LanguageSchema.GRAPH),
            LanguageSchema.GRAPH);
      }
    }
    return examples;
  }

  /// One line of JSON; "" if no definition has the key.
  String of(String table, String key) {
    var value = found.get(table + "." + key);
    return value == null ? "" : Canonical.text(value);
  }

  private void collect(Value value, ObjectValue schema) {
    for (var branch : LanguageSchema.branches(schema)) {
      var reference = LanguageSchema.reference(branch);
      if (reference.isEmpty()) {
        collectPlain(value, branch, FREE);
      } else if (value instanceof ObjectValue) {
        collectPlain(value, this.schema.table(reference), reference);
      }
    }
  }

  private void collectPlain(Value value, ObjectValue schema, String table) {
    switch (value) {
      case ListValue list ->
          list.forEach(it -> collect(it, LanguageSchema.object(schema, "items")));
      case ObjectValue object -> {
        var known = LanguageSchema.properties(schema);
        var others = LanguageSchema.object(schema, "additionalProperties");
        object.forEach(
            (key, member) -> member(table, key, member, known.getOrDefault(key, others)));
        if (table.equals("NodeDefinition")) {
          var config = LanguageSchema.CONFIG + LanguageSchema.text(object, "type");
          collectPlain(
              object.getOr("config", ObjectValue.empty()), this.schema.table(config), config);
        }
      }
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> {}
    }
  }

  private void member(String table, String key, Value value, ObjectValue schema) {
    collect(value, schema);
    if (table.equals(FREE)) {
      return;
    }
    var shortest = found.get(table + "." + key);
    if (shortest == null || Canonical.text(value).length() < Canonical.text(shortest).length()) {
      found.put(table + "." + key, value);
    }
  }
}
