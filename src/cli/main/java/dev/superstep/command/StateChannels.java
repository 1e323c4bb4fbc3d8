package dev.superstep.command;

import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The channels of a graph, from the JSON Schemas of its state: of `get_input_jsonschema()` and
/// `get_output_jsonschema()`, or of `GET /assistants/{id}/schemas`, which has several. Schemas do
/// not say which reducer a field has.
final class StateChannels {
  private static final int FIELDS_MAX = 1_000;
  private static final List<String> SCHEMAS =
      List.of("state_schema", "output_schema", "input_schema");
  private static final Set<String> TYPES =
      Set.of("array", "boolean", "integer", "number", "object", "string");
  private static final Pattern CHANNEL = Pattern.compile("(?!__)[A-Za-z_][A-Za-z0-9_]{0,63}");
  private static final Set<String> MESSAGES =
      Set.of("BaseMessage", "AIMessage", "HumanMessage", "ToolMessage", "SystemMessage", "Message");

  /// What LangGraph itself keeps in a state.
  private static final Set<String> MANAGED = Set.of("remaining_steps", "is_last_step");

  private final Map<String, Channel> channels = new LinkedHashMap<>();
  private final TreeSet<String> given = new TreeSet<>();
  private final StepIds names = new StepIds();
  private String graph = "";

  /// @param text as a definition has it, on one line
  /// @param question what the schema leaves open; "" for nothing
  record Channel(String text, String question, boolean messages) {}

  /// Whether nothing is known of the state.
  boolean isUnknown() {
    return channels.isEmpty();
  }

  Map<String, Channel> channels() {
    return channels;
  }

  boolean hasMessages() {
    return channels.getOrDefault("messages", new Channel("", "", false)).messages();
  }

  /// What a run gives, if that is less than the state.
  Optional<Set<String>> output() {
    return given.isEmpty() || given.containsAll(channels.keySet())
        ? Optional.empty()
        : Optional.of(given);
  }

  /// The name of the graph, which an Agent Server adds; "" if it is not there.
  String graph() {
    return graph;
  }

  /// Adds the fields of one more document.
  void read(Value document) {
    if (!(document instanceof ObjectValue object)) {
      throw new ImportException("", "this is no JSON Schema, but " + document.typeName());
    }
    if (SCHEMAS.stream().noneMatch(object::has)) {
      fields(object, "").forEach((name, schema) -> add(name, schema, object));
      return;
    }
    graph = object.findText("graph_id").orElse(graph);
    for (var key : SCHEMAS) {
      if (object.get(key) instanceof ObjectValue schema) {
        var fields = fields(schema, "/" + key);
        fields.forEach((name, field) -> add(name, field, schema));
        if (key.equals("output_schema")) {
          fields.keySet().stream()
              .filter(it -> !MANAGED.contains(it))
              .map(this::channelName)
              .forEach(given::add);
        }
      }
    }
  }

  /// A graph whose state is no object has no fields.
  private static Map<String, Value> fields(ObjectValue schema, String at) {
    var properties = resolved(schema, schema).getOr("properties", ObjectValue.empty());
    if (!(properties instanceof ObjectValue fields)) {
      throw new ImportException(
          at + "/properties", "must be an object, and is " + properties.typeName());
    }
    if (fields.size() > FIELDS_MAX) {
      throw new ImportException(
          at + "/properties",
          "has %d fields, and a definition at most %d".formatted(fields.size(), FIELDS_MAX));
    }
    return fields.asMap();
  }

  private void add(String name, Value field, ObjectValue root) {
    if (!MANAGED.contains(name)) {
      channels.putIfAbsent(channelName(name), channel(name, field, root));
    }
  }

  private String channelName(String name) {
    return CHANNEL.matcher(name).matches() ? name : names.of(name.replace('-', '_'));
  }

  private static Channel channel(String name, Value field, ObjectValue root) {
    var written =
        field instanceof ObjectValue object ? resolved(object, root) : ObjectValue.empty();
    var schema = withoutNull(written);
    if (!(schema.get("type") instanceof Value.Text(var type)) || !TYPES.contains(type)) {
      return new Channel("{}", "", false);
    }
    boolean required = schema.equals(written);
    return switch (type) {
      case "array" -> list(name, schema, root);
      case "object" -> plain("object", required, "reducer merge, if nodes write parts of it");
      case "integer" -> plain("integer", required, "reducer sum, if nodes add to it");
      case "number" -> plain("number", required, "reducer sum, if nodes add to it");
      case "boolean" -> plain("boolean", required, "");
      default -> plain("string", required, "");
    };
  }

  private static Channel plain(String type, boolean required, String question) {
    var types = required ? type : "[%s, \"null\"]".formatted(type);
    return new Channel("{ schema: { type: %s } }".formatted(types), question, false);
  }

  private static Channel list(String name, ObjectValue schema, ObjectValue root) {
    var items = schema.objectOrEmpty("items");
    if (name.equals("messages") || isMessage(items)) {
      return new Channel("{ reducer: messages }", "", true);
    }
    var of =
        resolved(items, root).get("type") instanceof Value.Text(var type) && TYPES.contains(type)
            ? ", items: { type: %s }".formatted(type)
            : "";
    return new Channel(
        "{ reducer: append, default: [], schema: { type: array%s } }".formatted(of),
        "no reducer, if nodes replace the list",
        false);
  }

  /// A class of LangChain's, or a choice of them.
  private static boolean isMessage(ObjectValue items) {
    return alternatives(items).stream()
        .anyMatch(it ->
            it instanceof ObjectValue one
                && one.get("$ref") instanceof Value.Text(var path)
                && MESSAGES.contains(path.substring(path.lastIndexOf('/') + 1)));
  }

  private static List<Value> alternatives(ObjectValue schema) {
    for (var key : List.of("anyOf", "oneOf")) {
      if (schema.get(key) instanceof ListValue list) {
        return list.asList();
      }
    }
    return List.of(schema);
  }

  /// The schema beside the null of an optional field.
  private static ObjectValue withoutNull(ObjectValue schema) {
    var alternatives =
        alternatives(schema).stream()
            .filter(it -> !it.equals(ObjectValue.of("type", "null")))
            .toList();
    return alternatives.size() == 1 && alternatives.getFirst() instanceof ObjectValue one
        ? one
        : ObjectValue.empty();
  }

  /// What a reference within the document leads to; one step, for schemas may refer to themselves.
  private static ObjectValue resolved(ObjectValue schema, ObjectValue root) {
    if (!(schema.get("$ref") instanceof Value.Text(var reference)) || !reference.startsWith("#/")) {
      return schema;
    }
    return Pointer.find(root, reference.substring(1))
        .filter(ObjectValue.class::isInstance)
        .map(ObjectValue.class::cast)
        .orElse(schema);
  }
}
