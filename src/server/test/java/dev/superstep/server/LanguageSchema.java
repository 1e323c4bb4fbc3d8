package dev.superstep.server;

import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads the JSON Schema of the language, which the service makes of the tables by which it reads
/// definitions.
final class LanguageSchema {
  static final String GRAPH = "GraphDefinition";
  static final String CONFIG = "config.";
  private static final String REFERENCE = "#/$defs/";
  private static final String TEMPLATE = "\\{\\{";
  private static final Value STRING = Value.of("string");
  private static final Set<String> NOT_SHOWN = Set.of("$schema", "$defs");
  private final ObjectValue root;

  private LanguageSchema(ObjectValue root) {
    this.root = root;
  }

  static LanguageSchema read() throws IOException {
    return new LanguageSchema(
        (ObjectValue) Json.read(Files.readString(Path.of("docs/graph.schema.json"))));
  }

  ObjectValue table(String name) {
    return name.equals(GRAPH) ? root : object(object(root, "$defs"), name);
  }

  List<String> nodeTypes() {
    return object(root, "$defs").asMap().keySet().stream()
        .filter(it -> it.startsWith(CONFIG))
        .sorted()
        .toList();
  }

  /// The tables that a graph is made of, in the order in which one meets them.
  SequencedSet<String> tables() {
    var found = new LinkedHashSet<String>();
    found.add(GRAPH);
    var open = new ArrayList<>(found);
    while (!open.isEmpty()) {
      var next = new ArrayList<String>();
      for (var name : open) {
        properties(table(name)).values().forEach(it -> references(it, found, next));
      }
      open = next;
    }
    return found;
  }

  private static void references(Value schema, Set<String> found, List<String> next) {
    switch (schema) {
      case ObjectValue object -> {
        var name = reference(object);
        if (!name.isEmpty() && found.add(name)) {
          next.add(name);
        }
        object.asMap().values().forEach(it -> references(it, found, next));
      }
      case ListValue list -> list.forEach(it -> references(it, found, next));
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ -> {}
    }
  }

  /// Key → schema, as far as authors write it. Required keys come first.
  static Map<String, ObjectValue> properties(ObjectValue table) {
    var required = texts(table, "required");
    var properties = new LinkedHashMap<String, ObjectValue>();
    var all = object(table, "properties");
    required.stream().filter(all::has).forEach(it -> properties.put(it, object(all, it)));
    all.asMap()
        .forEach((key, value) -> {
          if (!NOT_SHOWN.contains(key) && value instanceof ObjectValue schema) {
            properties.putIfAbsent(key, schema);
          }
        });
    return properties;
  }

  /// The key that a pointer into a definition leads to, as its table and itself; empty within
  /// content that is not the language's.
  List<String> find(String pointer) {
    var found = List.of(GRAPH, "");
    var schema = root;
    for (var step : pointer.substring(1).split("/", -1)) {
      var next = step(schema, step, found);
      if (next.isEmpty()) {
        return List.of();
      }
      found = next.get().key();
      schema = next.get().schema();
    }
    return found;
  }

  private record Step(List<String> key, ObjectValue schema) {}

  private Optional<Step> step(ObjectValue schema, String step, List<String> at) {
    for (var branch : branches(schema)) {
      var reference = reference(branch);
      var table = reference.isEmpty() ? branch : table(reference);
      var owner = reference.isEmpty() ? at.getFirst() : reference;
      if (object(table, "properties").has(step)) {
        return Optional.of(
            new Step(List.of(owner, step), object(object(table, "properties"), step)));
      }
      for (var member : List.of("items", "additionalProperties")) {
        if (table.get(member) instanceof ObjectValue inner) {
          return Optional.of(new Step(at, inner));
        }
      }
    }
    return Optional.empty();
  }

  /// The alternatives of a schema, without null, which only stands for absence.
  static List<ObjectValue> branches(ObjectValue schema) {
    if (!(schema.get("anyOf") instanceof ListValue all)) {
      return List.of(schema);
    }
    return all.stream()
        .map(ObjectValue.class::cast)
        .filter(it -> !Value.of("null").equals(it.get("type")))
        .flatMap(it -> branches(it).stream())
        .toList();
  }

  static String reference(ObjectValue schema) {
    return schema.get("$ref") instanceof Value.Text(var text) && text.startsWith(REFERENCE)
        ? text.substring(REFERENCE.length())
        : "";
  }

  /// What a value must be, with its bounds, in Markdown.
  static String type(ObjectValue schema) {
    return branches(schema).stream()
        .map(LanguageSchema::single)
        .distinct()
        .collect(Collectors.joining(" or "));
  }

  private static String single(ObjectValue schema) {
    if (!reference(schema).isEmpty()) {
      return "[%s](#%s)".formatted(title(reference(schema)), anchor(reference(schema)));
    }
    if (schema.get("enum") instanceof ListValue words) {
      return words.stream().map(it -> "`" + plain(it) + "`").collect(Collectors.joining(", "));
    }
    if (schema.get("type") instanceof ListValue types) {
      boolean template = text(schema, "pattern").equals(TEMPLATE);
      return types.stream()
          .map(it -> it.equals(STRING) && template ? "a template" : named(plain(it), schema))
          .collect(Collectors.joining(" or "));
    }
    return schema.has("type") ? named(text(schema, "type"), schema) : "any JSON";
  }

  private static String named(String type, ObjectValue schema) {
    return switch (type) {
      case "array" ->
          "list of %s%s"
              .formatted(type(object(schema, "items")), bound(schema, "maxItems", ", at most "));
      case "object" ->
          schema.get("additionalProperties") instanceof ObjectValue member
              ? "name → %s%s".formatted(type(member), bound(schema, "maxProperties", ", at most "))
              : "object";
      case "integer", "number" ->
          type + bound(schema, "minimum", " from ") + bound(schema, "maximum", " to ");
      case "string" ->
          schema.has("example") ? "string such as `%s`".formatted(text(schema, "example")) : type;
      default -> type;
    };
  }

  private static String bound(ObjectValue schema, String key, String words) {
    return schema.has(key) ? words + plain(schema.getOr(key, Value.NULL)) : "";
  }

  /// `ChannelDefinition` → `Channel`; `config.llm` → `llm`.
  static String title(String table) {
    var name = table.replace("Definition", "").replace(CONFIG, "");
    return table.startsWith(CONFIG) ? name : name.replaceAll("(?<=[a-z])(?=[A-Z])", " ");
  }

  static String anchor(String table) {
    return title(table).toLowerCase(Locale.ROOT).replace(' ', '-');
  }

  static String plain(Value value) {
    return value instanceof Value.Text(var text) ? text : Canonical.text(value);
  }

  static String text(ObjectValue schema, String key) {
    return schema.get(key) instanceof Value.Text(var text) ? text : "";
  }

  static List<String> texts(ObjectValue schema, String key) {
    return schema.get(key) instanceof ListValue list
        ? list.stream().map(LanguageSchema::plain).toList()
        : List.of();
  }

  static ObjectValue object(ObjectValue schema, String key) {
    return schema.get(key) instanceof ObjectValue found ? found : ObjectValue.empty();
  }
}
