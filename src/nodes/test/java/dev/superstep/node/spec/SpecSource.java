package dev.superstep.node.spec;

import static java.util.stream.Collectors.joining;

import dev.superstep.json.Json;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Writes the interfaces in which graphs are said in Java: one for each table of the schema of the
/// language, and a method or more for each of its keys.
final class SpecSource {
  private static final String CONFIG = "config.";
  private static final Pattern NEXT_WORD = Pattern.compile("_(\\w)");
  private static final int TEXT_MAX = 94;

  /// What Java has these words for itself.
  private static final Map<String, String> OTHERWISE =
      Map.of(
          "catch", "catchFailure",
          "default", "defaultValue",
          "else", "otherwise",
          "for", "forTime",
          "goto", "goTo",
          "switch", "switchCase");

  private final ObjectValue schema;

  /// @param schema `docs/graph.schema.json`
  SpecSource(String schema) {
    this.schema = (ObjectValue) Json.read(schema);
  }

  /// @param form of [Key]
  /// @param parameters with their types
  private record Said(String form, List<String> parameters) {
    static Said value(String type) {
      return new Said("", List.of(type + " value"));
    }

    static Said table(String form, String type) {
      return new Said(form, List.of("Consumer<%s> author".formatted(type)));
    }

    static Said items(String type) {
      return new Said("ITEM", List.of(type + "... items"));
    }

    static Said member(String... valueType) {
      return new Said(
          "MEMBER", Stream.concat(Stream.of("String name"), Stream.of(valueType)).toList());
    }
  }

  /// Name → source.
  Map<String, String> interfaces() {
    var sources = new TreeMap<String, String>();
    sources.put("GraphSpec", source("GraphSpec", "A graph.", schema));
    schema
        .object("$defs")
        .forEach((name, table) -> {
          var of = (ObjectValue) table;
          var type = typeOf(name);
          if (!type.equals("GraphSpec") && !of.objectOrEmpty("properties").isEmpty()) {
            sources.put(type, source(type, about(name, of), of));
          }
        });
    return sources;
  }

  private static String about(String name, ObjectValue table) {
    return table.findText("description").orElse("The table %s of the language.".formatted(name));
  }

  /// Of the table of this name.
  static String typeOf(String table) {
    if (table.startsWith(CONFIG)) {
      return camel("_" + table.substring(CONFIG.length())) + "Config";
    }
    return table.replaceFirst("^Inline", "").replaceFirst("Definition$", "") + "Spec";
  }

  private static String camel(String key) {
    return NEXT_WORD.matcher(key).replaceAll(it -> it.group(1).toUpperCase(Locale.ROOT));
  }

  private String source(String type, String about, ObjectValue table) {
    var methods = new ArrayList<String>();
    table
        .object("properties")
        .forEach((key, of) -> {
          var said = said(type, key, (ObjectValue) of);
          said.forEach(it -> methods.add(method(type, key, it, (ObjectValue) of)));
        });
    if (type.equals("GraphSpec")) {
      methods.addAll(nodes());
    }
    var body = String.join("\n\n", methods);
    var imports =
        Stream.of(
                body.contains("NodeFunction ") ? "dev.superstep.node.NodeFunction" : "",
                body.contains("(Duration ") ? "java.time.Duration" : "",
                body.contains("List<?>") ? "java.util.List" : "",
                body.contains("Map<") ? "java.util.Map" : "",
                body.contains("Consumer<") ? "java.util.function.Consumer" : "",
                body.contains("@Nullable") ? "org.jspecify.annotations.Nullable" : "")
            .filter(it -> !it.isEmpty())
            .map("import %s;"::formatted)
            .collect(joining("\n"));
    return "package dev.superstep.node.spec;\n\n%s\n\n%spublic interface %s {\n%s\n}\n"
        .formatted(imports, text("", about), type, body);
  }

  /// Nodes are methods of the name of their type.
  private List<String> nodes() {
    var methods = new ArrayList<String>();
    var any = ObjectValue.of("description", "A node of any type, such as one of an extension.");
    methods.add(
        "%s  @Key(form = Key.Form.NODE)\n  GraphSpec nodes(String id, String type, Consumer<NodeSpec> author);"
            .formatted(text("  ", any.text("description"))));
    schema
        .object("$defs")
        .forEach((name, config) -> {
          if (name.startsWith(CONFIG)) {
            var type = name.substring(CONFIG.length());
            var of = (ObjectValue) config;
            var first =
                of.objectOrEmpty("properties").isEmpty()
                    ? ""
                    : ", Consumer<%s> config".formatted(typeOf(name));
            for (var rest : List.of("", ", Consumer<NodeSpec> author")) {
              methods.add(
                  "%s  @Key(value = \"%s\", form = Key.Form.NODE)\n  GraphSpec %s(String id%s%s);"
                      .formatted(
                          text("  ", of.text("description")), type, camel(type), first, rest));
            }
          }
        });
    return methods;
  }

  private static String method(String type, String key, Said said, ObjectValue of) {
    var name = OTHERWISE.getOrDefault(key, camel(key));
    var annotation = new LinkedHashMap<String, String>();
    if (!name.equals(camel(key))) {
      annotation.put("value", "\"%s\"".formatted(key));
    }
    if (!said.form().isEmpty()) {
      annotation.put("form", "Key.Form." + said.form());
    }
    var written =
        annotation.entrySet().stream()
            .map(it ->
                annotation.size() == 1 && it.getKey().equals("value")
                    ? it.getValue()
                    : "%s = %s".formatted(it.getKey(), it.getValue()))
            .collect(joining(", ", "  @Key(", ")\n"));
    return "%s%s  %s %s(%s);"
        .formatted(
            text("  ", of.textOrEmpty("description") + words(of)),
            annotation.isEmpty() ? "" : written,
            type,
            name,
            String.join(", ", said.parameters()));
  }

  private static String words(ObjectValue of) {
    return forms(of).stream()
        .filter(it -> it.has("enum"))
        .map(it -> it.list("enum").stream().map(word -> ((Value.Text) word).value()))
        .map(it -> it.collect(joining(", ", ": ", "")))
        .findFirst()
        .orElse("");
  }

  private static String text(String indent, String text) {
    var lines = new ArrayList<String>();
    var line = new StringBuilder();
    for (var word : text.strip().split("\\s+", -1)) {
      if (!line.isEmpty() && line.length() + word.length() > TEXT_MAX - indent.length()) {
        lines.add(line.toString());
        line.setLength(0);
      }
      line.append(line.isEmpty() ? "" : " ").append(word);
    }
    lines.add(line.toString());
    return lines.stream().map(it -> "%s/// %s\n".formatted(indent, it)).collect(joining());
  }

  /// What the key may hold, with alternatives side by side, and without null.
  private static List<ObjectValue> forms(ObjectValue of) {
    if (of.has("anyOf")) {
      return of.list("anyOf").stream().flatMap(it -> forms((ObjectValue) it).stream()).toList();
    }
    var types =
        of.get("type") instanceof Value.Text(var type)
            ? List.of(type)
            : of.listOrEmpty("type").stream().map(it -> ((Value.Text) it).value()).toList();
    return types.isEmpty()
        ? List.of(of)
        : types.stream().filter(it -> !it.equals("null")).map(it -> of.plus("type", it)).toList();
  }

  /// Empty for what is said otherwise: in the name of a method, or before its table.
  private Set<Said> said(String table, String key, ObjectValue of) {
    if (key.equals("$schema")
        || (table.equals("GraphSpec") && Set.of("name", "nodes").contains(key))
        || (table.equals("NodeSpec") && Set.of("id", "type").contains(key))) {
      return Set.of();
    }
    var forms = forms(of);
    var list = forms.stream().filter(it -> isType(it, "array")).findFirst();
    var said = new LinkedHashSet<Said>();
    for (var form : forms) {
      boolean isItem =
          list.map(it -> it.get("items"))
              .filter(it -> forms((ObjectValue) it).contains(form))
              .isPresent();
      if (!isItem) {
        said.addAll(said(form, forms));
      }
    }
    if (table.equals("FunctionConfig") && key.equals("function")) {
      said.add(Said.value("NodeFunction"));
    }
    return said;
  }

  private static boolean isType(ObjectValue form, String type) {
    return form.get("type") instanceof Value.Text(var is) && is.equals(type);
  }

  private static @Nullable String reference(@Nullable Value of) {
    return of instanceof ObjectValue object
        ? object
            .findText("$ref")
            .map(it -> typeOf(it.substring(it.lastIndexOf('/') + 1)))
            .orElse(null)
        : null;
  }

  private List<Said> said(ObjectValue form, List<ObjectValue> others) {
    var table = reference(form);
    if (table != null) {
      return List.of(Said.table("", table));
    }
    return switch (form.textOrEmpty("type")) {
      case "string" ->
          List.of(Said.value(form.textOrEmpty("example").equals("30s") ? "Duration" : "String"));
      case "boolean" -> List.of(Said.value("boolean"));
      case "integer" -> List.of(Said.value("long"));
      case "number" -> List.of(Said.value("double"));
      case "array" -> list(form, others);
      case "object" -> object(form);
      case "" -> List.of(Said.value("@Nullable Object"));
      default -> throw new IllegalStateException("no way to say " + form);
    };
  }

  private List<Said> list(ObjectValue form, List<ObjectValue> others) {
    if (!form.has("items")) {
      return List.of(Said.value("List<?>"));
    }
    var items = (ObjectValue) Objects.requireNonNull(form.get("items"));
    var table = reference(items);
    if (table != null) {
      // A list beside one of another kind has a key of its own.
      return others.stream().anyMatch(it -> reference(it) != null && !it.equals(items))
          ? List.of()
          : List.of(Said.table("ITEM", table));
    }
    return List.of(
        Said.items(isType(forms(items).getFirst(), "string") ? "String" : "@Nullable Object"));
  }

  private List<Said> object(ObjectValue form) {
    if (!(form.get("additionalProperties") instanceof ObjectValue members)) {
      return List.of(Said.value("Map<String, ?>"));
    }
    if (members.isEmpty()) {
      return List.of(Said.member("@Nullable Object value"));
    }
    var member = forms(members).getFirst();
    var table = reference(member);
    if (table != null) {
      var full = Said.member("Consumer<%s> author".formatted(table));
      return members.has("anyOf") ? List.of(Said.member(), full) : List.of(full);
    }
    return switch (member.textOrEmpty("type")) {
      case "string" -> List.of(Said.member("String value"));
      case "integer" -> List.of(Said.member("long value"));
      default -> throw new IllegalStateException("no way to say " + form);
    };
  }
}
