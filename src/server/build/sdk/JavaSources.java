import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// Records of the model, and a class with methods for each group, for Java 17.
final class JavaSources {
  private static final String PACKAGE = "dev.superstep.client";
  private static final Set<String> RESERVED =
      Set.of("default", "continue", "goto", "else", "switch", "wait");

  private final Api api;

  JavaSources(Api api) {
    this.api = api;
  }

  /// By their path below the folder of sources.
  Map<String, String> sources() {
    var files = new TreeMap<String, String>();
    var folder = PACKAGE.replace('.', '/');
    for (var schema : api.schemas()) {
      files.put("%s/model/%s.java".formatted(folder, schema.name()), model(schema));
    }
    api.groups()
        .forEach((group, operations) -> {
          var name = Sdk.pascal(group) + "Operations";
          files.put("%s/%s.java".formatted(folder, name), operations(name, operations));
        });
    return files;
  }

  private String model(Api.Schema schema) {
    var page = schema.name().startsWith("Listing") ? page(schema) : "";
    return """
    package %s.model;

    import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
    import com.fasterxml.jackson.annotation.JsonInclude;
    import com.fasterxml.jackson.annotation.JsonProperty;
    import com.fasterxml.jackson.annotation.JsonValue;
    import java.time.Instant;
    import java.util.List;
    import java.util.Map;

    %s\
    """
            .formatted(PACKAGE, comment("", schema.description(), schema.properties()))
        + record(schema.name(), schema.properties(), schema.sent(), page);
  }

  private static String page(Api.Schema schema) {
    var items = schema.properties().stream().filter(it -> it.name().equals("items")).findFirst();
    return items.orElseThrow().type() instanceof Api.Type.ListOf(Api.Type.Ref(var name))
        ? " implements Page<" + name + ">"
        : "";
  }

  private static String record(
      String name, List<Api.Property> properties, boolean sent, String page) {
    var out = new StringBuilder();
    var components =
        properties.stream()
            .map(it -> "\n    " + annotations(it) + type(it) + " " + safe(it.name()))
            .collect(Collectors.joining(","));
    out.append("public record %s(%s)%s {\n".formatted(name, components, page));
    for (var property : properties) {
      words(property.type()).ifPresent(it -> out.append(words(enumName(property), it.values())));
    }
    if (sent) {
      out.append(factory(name, properties));
      properties.stream()
          .filter(it -> !it.required())
          .forEach(it -> out.append(wither(name, properties, it)));
    }
    return out.append("}\n").toString();
  }

  private static String annotations(Api.Property property) {
    var found = new StringBuilder();
    if (RESERVED.contains(property.name())) {
      found.append("@JsonProperty(\"%s\") ".formatted(property.name()));
    }
    if (property.required() && property.type() == Api.Type.Plain.ANY) {
      found.append("@JsonInclude(JsonInclude.Include.ALWAYS) ");
    }
    return found.toString();
  }

  private static String factory(String name, List<Api.Property> properties) {
    var required = properties.stream().filter(Api.Property::required).toList();
    return "\n  /** With what it cannot do without. */\n  public static %s of(%s) {\n    return new %s(%s);\n  }\n"
        .formatted(
            name,
            required.stream()
                .map(it -> type(it) + " " + safe(it.name()))
                .collect(Collectors.joining(", ")),
            name,
            properties.stream()
                .map(it -> it.required() ? safe(it.name()) : "null")
                .collect(Collectors.joining(", ")));
  }

  private static String wither(String name, List<Api.Property> properties, Api.Property given) {
    return "\n%s  public %s with%s(%s %s) {\n    return new %s(%s);\n  }\n"
        .formatted(
            comment("  ", given.description(), List.of()),
            name,
            Sdk.pascal(given.name()),
            type(given),
            safe(given.name()),
            name,
            properties.stream().map(it -> safe(it.name())).collect(Collectors.joining(", ")));
  }

  private static String words(String name, List<String> values) {
    var constants = new ArrayList<String>();
    for (var value : values) {
      constants.add(
          "%s(\"%s\")".formatted(value.toUpperCase(Locale.ROOT).replaceAll("\\W", "_"), value));
    }
    return """

      public enum %1$s {
        %2$s,
        /** A newer service says something that this client does not know. */
        @JsonEnumDefaultValue
        UNKNOWN("unknown");

        private final String word;

        %1$s(String word) {
          this.word = word;
        }

        @Override
        @JsonValue
        public String toString() {
          return word;
        }
      }
    """
        .formatted(name, String.join(",\n    ", constants));
  }

  private static Optional<Api.Type.Words> words(Api.Type type) {
    return switch (type) {
      case Api.Type.Words words -> Optional.of(words);
      case Api.Type.ListOf(Api.Type.Words words) -> Optional.of(words);
      default -> Optional.empty();
    };
  }

  private String operations(String name, List<Api.Operation> operations) {
    var out = new StringBuilder();
    out.append(
        """
        package %1$s;

        import %1$s.model.*;
        import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
        import com.fasterxml.jackson.annotation.JsonProperty;
        import com.fasterxml.jackson.annotation.JsonValue;
        import java.time.Instant;
        import java.util.LinkedHashMap;
        import java.util.List;
        import java.util.Map;

        /** What the document says; the client has an object of it. */
        public class %2$s {
          final Transport transport;

          %2$s(Transport transport) {
            this.transport = transport;
          }
        """
            .formatted(PACKAGE, name));
    for (var operation : operations) {
      method(out, operation);
      if (!operation.query().isEmpty()) {
        out.append('\n').append(comment("  ", "", operation.query()));
        out.append(
            record(Sdk.pascal(operation.name()) + "Options", operation.query(), true, "")
                .indent(2));
      }
    }
    return out.append("}\n").toString();
  }

  private static void method(StringBuilder out, Api.Operation operation) {
    var parameters = new ArrayList<String>();
    operation.parts().forEach(it -> parameters.add(type(it) + " " + safe(it.name())));
    switch (operation.body()) {
      case JSON -> parameters.add(operation.input() + " body");
      case DEFINITION -> parameters.add("Definition body");
      case NONE -> {}
    }
    if (!operation.query().isEmpty()) {
      var options = Sdk.pascal(operation.name()) + "Options";
      if (operation.query().stream().noneMatch(Api.Property::required)) {
        withoutOptions(out, operation, parameters, options);
      }
      parameters.add(options + " options");
    }
    out.append(head(operation, parameters));
    out.append("    var query = new LinkedHashMap<String, Object>();\n");
    for (var parameter : operation.query()) {
      var name = parameter.name();
      out.append("    query.put(\"%s\", options.%s());\n".formatted(name, safe(name)));
    }
    send(out, operation);
  }

  private static void withoutOptions(
      StringBuilder out, Api.Operation operation, List<String> parameters, String options) {
    var arguments = new ArrayList<String>();
    parameters.forEach(it -> arguments.add(it.substring(it.indexOf(' ') + 1)));
    arguments.add(options + ".of()");
    out.append(head(operation, parameters));
    out.append(
        "    return %s(%s);\n  }\n"
            .formatted(safe(operation.name()), String.join(", ", arguments)));
  }

  private static void send(StringBuilder out, Api.Operation operation) {
    boolean answers = operation.answer().type() != null;
    out.append(
        "    %stransport.call(new Call(\"%s\", %s, query, %s, Call.Repeat.%s, \"%s\"), %s.class);\n  }\n"
            .formatted(
                answers ? "return " : "",
                operation.method(),
                path(operation),
                operation.body() == Api.Body.NONE ? "null" : "body",
                operation.answer().repeat(),
                operation.answer().text() ? "text/plain" : "application/json",
                answers ? result(operation).replaceAll("<.*", "") : "Void"));
  }

  private static String result(Api.Operation operation) {
    return operation.answer().type() == null ? "void" : name(operation.answer().type(), "");
  }

  private static String head(Api.Operation operation, List<String> parameters) {
    var result = result(operation);
    return "\n%s%s  public %s %s(%s) {\n"
        .formatted(
            comment("  ", operation.summary(), List.of()),
            result.contains("<") ? "  @SuppressWarnings(\"unchecked\")\n" : "",
            result,
            safe(operation.name()),
            String.join(", ", parameters));
  }

  private static String path(Api.Operation operation) {
    var path = '"' + operation.path() + '"';
    for (var part : operation.parts()) {
      path =
          path.replace("<" + part.name() + ">", "\" + Call.part(" + safe(part.name()) + ") + \"");
    }
    return path.replace(" + \"\"", "");
  }

  private static String safe(String name) {
    var camel = Sdk.camel(name);
    return RESERVED.contains(camel) ? camel + "_" : camel;
  }

  private static String enumName(Api.Property property) {
    var name = Sdk.pascal(property.name());
    return property.type() instanceof Api.Type.ListOf ? name.replaceFirst("(?<![su])s$", "") : name;
  }

  private static String type(Api.Property property) {
    var name = name(property.type(), enumName(property));
    return property.required()
        ? name.replaceFirst("^Integer$", "int").replaceFirst("^Long$", "long")
        : name;
  }

  private static String name(Api.Type type, String enumName) {
    return switch (type) {
      case Api.Type.Plain.TEXT -> "String";
      case Api.Type.Plain.TIME -> "Instant";
      case Api.Type.Plain.INTEGER -> "Integer";
      case Api.Type.Plain.LONG -> "Long";
      case Api.Type.Plain.DECIMAL -> "Double";
      case Api.Type.Plain.FLAG -> "Boolean";
      case Api.Type.Plain.ANY -> "Object";
      case Api.Type.Plain.OBJECT -> "Map<String, Object>";
      case Api.Type.ListOf(var element) -> "List<" + name(element, enumName) + ">";
      case Api.Type.MapOf(var value) -> "Map<String, " + name(value, enumName) + ">";
      case Api.Type.Ref(var name) -> name;
      case Api.Type.Words _ -> enumName;
    };
  }

  private static String comment(String indent, String text, List<Api.Property> properties) {
    var lines = new ArrayList<String>();
    if (!text.isEmpty()) {
      lines.add(safeText(text));
    }
    properties.stream()
        .filter(it -> !it.description().isEmpty())
        .forEach(it -> lines.add("@param " + safe(it.name()) + " " + safeText(it.description())));
    if (lines.isEmpty()) {
      return "";
    }
    return indent
        + "/**\n"
        + indent
        + " * "
        + String.join("\n" + indent + " * ", lines)
        + "\n"
        + indent
        + " */\n";
  }

  private static String safeText(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace("*/", "*&#47;")
        .replace("@", "&#64;")
        .replace("\\", "&#92;");
  }
}
