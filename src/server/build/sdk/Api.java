import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/// The document, as far as the clients need it.
record Api(List<Schema> schemas, List<Operation> operations) {

  /// Definitions are given as text or as plain JSON: their short forms have no useful types.
  private static final Set<String> DEFINITIONS = Set.of("GraphDefinition", "InlineGraphDefinition");

  /// POST requests that change nothing.
  private static final Set<String> READS =
      Set.of(
          "previewContext", "evaluateExpression", "testGraph", "validateGraph", "testStoredGraph");

  sealed interface Type {
    enum Plain implements Type {
      TEXT,
      INTEGER,
      LONG,
      DECIMAL,
      FLAG,
      TIME,
      ANY,
      OBJECT
    }

    record ListOf(Type element) implements Type {}

    record MapOf(Type value) implements Type {}

    record Ref(String name) implements Type {}

    record Words(List<String> values) implements Type {}
  }

  record Property(String name, Type type, boolean required, String description) {}

  /// @param sent whether requests have it
  record Schema(String name, String description, List<Property> properties, boolean sent) {}

  enum Repeat {
    SAFE,
    KEYED,
    NEVER
  }

  enum Body {
    NONE,
    JSON,
    DEFINITION
  }

  /// @param input the schema of a JSON body, or empty
  record Operation(
      String group,
      String name,
      String method,
      String path,
      List<Property> parts,
      List<Property> query,
      Body body,
      String input,
      Answer answer,
      String summary) {}

  /// @param type null if nothing is answered
  record Answer(Type type, boolean text, Repeat repeat) {}

  static Api read(Path document) throws IOException {
    var settings = LoadSettings.builder().setCodePointLimit(10_000_000).build();
    var root = map(new Load(settings).loadFromString(Files.readString(document)));
    var operations = new ArrayList<Operation>();
    for (var path : map(root.get("paths")).entrySet()) {
      for (var method : map(path.getValue()).entrySet()) {
        var operation = map(method.getValue());
        if (!Names.of(text(operation, "operationId")).isEmpty()) {
          operations.add(
              operation(path.getKey(), method.getKey().toUpperCase(Locale.ROOT), operation));
        }
      }
    }
    var named = map(map(root.get("components")).get("schemas"));
    var sent = reachable(named, operations.stream().map(Operation::input).toList());
    var used = new TreeSet<>(sent);
    var answered = new ArrayList<>(List.of("RunEvent", "Problem"));
    operations.forEach(it -> refs(it.answer().type(), answered));
    used.addAll(reachable(named, answered));
    var schemas = new ArrayList<Schema>();
    used.forEach(it -> schemas.add(schema(it, map(named.get(it)), sent.contains(it))));
    return new Api(schemas, operations);
  }

  /// By group, each in the order of the document.
  Map<String, List<Operation>> groups() {
    var groups = new TreeMap<String, List<Operation>>();
    operations.forEach(it -> groups.computeIfAbsent(it.group(), _ -> new ArrayList<>()).add(it));
    return groups;
  }

  private static Operation operation(String path, String method, Map<String, Object> source) {
    var id = text(source, "operationId");
    var name = Names.of(id);
    var group = name.substring(0, name.indexOf('.'));
    var parts = parameters(group, "path", source);
    for (var part : parts) {
      path = path.replaceFirst("\\{%s}|\\{id}".formatted(part.name()), "<" + part.name() + ">");
    }
    var content = map(map(source.get("requestBody")).get("content"));
    var input = content.isEmpty() ? "" : ref(map(content.get("application/json")));
    var body =
        input.isEmpty() ? Body.NONE : DEFINITIONS.contains(input) ? Body.DEFINITION : Body.JSON;
    return new Operation(
        group,
        name.substring(group.length() + 1),
        method,
        path,
        parts,
        parameters(group, "query", source),
        body,
        body == Body.JSON ? input : "",
        answer(map(source.get("responses")), repeat(id, method, source)),
        text(source, source.containsKey("description") ? "description" : "summary"));
  }

  private static List<Property> parameters(String group, String in, Map<String, Object> source) {
    var found = new ArrayList<Property>();
    for (var item : list(source.get("parameters"))) {
      var parameter = map(item);
      if (text(parameter, "in").equals(in)) {
        var name = text(parameter, "name");
        found.add(parameter(in.equals("path") ? Names.parameter(group, name) : name, parameter));
      }
    }
    return found;
  }

  private static Repeat repeat(String id, String method, Map<String, Object> source) {
    if (list(source.get("parameters")).stream()
        .anyMatch(it -> text(map(it), "name").equals("Idempotency-Key"))) {
      return Repeat.KEYED;
    }
    return !method.equals("POST") || READS.contains(id) ? Repeat.SAFE : Repeat.NEVER;
  }

  private static Answer answer(Map<String, Object> responses, Repeat repeat) {
    for (var status : List.of("200", "201")) {
      var content = map(map(responses.get(status)).get("content"));
      if (content.containsKey("application/json")) {
        return new Answer(
            type(map(map(content.get("application/json")).get("schema"))), false, repeat);
      }
      if (!content.isEmpty()) {
        return new Answer(Type.Plain.TEXT, true, repeat);
      }
    }
    return new Answer(null, false, repeat);
  }

  private static Property parameter(String name, Map<String, Object> source) {
    return new Property(
        name,
        type(map(source.get("schema"))),
        Boolean.TRUE.equals(source.get("required")),
        text(source, "description"));
  }

  private static Schema schema(String name, Map<String, Object> source, boolean sent) {
    var required = list(source.get("required"));
    var properties = new ArrayList<Property>();
    for (var entry : map(source.get("properties")).entrySet()) {
      var property = map(entry.getValue());
      properties.add(
          new Property(
              entry.getKey(),
              type(property),
              required.contains(entry.getKey()),
              text(property, "description")));
    }
    return new Schema(name, text(source, "description"), properties, sent);
  }

  private static Type type(Map<String, Object> schema) {
    var ref = ref(Map.of("schema", schema));
    if (!ref.isEmpty()) {
      return DEFINITIONS.contains(ref) ? Type.Plain.OBJECT : new Type.Ref(ref);
    }
    if (schema.get("enum") instanceof List<?> values && text(schema, "type").equals("string")) {
      return new Type.Words(values.stream().map(String::valueOf).toList());
    }
    return switch (text(schema, "type")) {
      case "string" ->
          text(schema, "format").equals("date-time") ? Type.Plain.TIME : Type.Plain.TEXT;
      case "integer" ->
          text(schema, "format").equals("int64") ? Type.Plain.LONG : Type.Plain.INTEGER;
      case "number" -> Type.Plain.DECIMAL;
      case "boolean" -> Type.Plain.FLAG;
      case "array" -> new Type.ListOf(type(map(schema.get("items"))));
      case "object" ->
          schema.get("additionalProperties") instanceof Map<?, ?> values
              ? new Type.MapOf(type(map(values)))
              : Type.Plain.OBJECT;
      default -> Type.Plain.ANY;
    };
  }

  private static Set<String> reachable(Map<String, Object> named, List<String> roots) {
    var open = new ArrayDeque<>(roots);
    var found = new TreeSet<String>();
    while (!open.isEmpty()) {
      var name = open.remove();
      if (!name.isEmpty() && found.add(name)) {
        var next = new ArrayList<String>();
        schema(name, map(named.get(name)), false).properties().forEach(it -> refs(it.type(), next));
        open.addAll(next);
      }
    }
    return found;
  }

  private static void refs(Type type, List<String> names) {
    switch (type) {
      case Type.Ref(var name) -> names.add(name);
      case Type.ListOf(var element) -> refs(element, names);
      case Type.MapOf(var value) -> refs(value, names);
      case null, default -> {}
    }
  }

  private static String ref(Map<String, Object> content) {
    var ref = map(content.get("schema")).get("$ref");
    return ref == null ? "" : ref.toString().substring(ref.toString().lastIndexOf('/') + 1);
  }

  private static String text(Map<String, Object> source, String key) {
    var value = source.get(key);
    return value == null ? "" : value.toString().strip().replaceAll("\\s+", " ");
  }

  private static List<?> list(Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> map(Object value) {
    return value instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of();
  }
}
