import java.util.ArrayList;
import java.util.Locale;
import java.util.stream.Collectors;

/// `generated.ts`: interfaces as on the wire, and a class with methods for each group.
final class TypeScript {
  private final Api api;
  private final StringBuilder out = new StringBuilder();

  TypeScript(Api api) {
    this.api = api;
  }

  String source() {
    out.append(
        "// Written by src/server/build/sdk/Sdk.java from docs/openapi.yaml. Do not edit.\n\n");
    out.append(
        "import { type CallOptions, type Definition, Transport, part } from \"./transport.js\";\n");
    out.append("\n/** An object of JSON, with whatever members. */\n");
    out.append("export type JsonObject = { [key: string]: any };\n");
    api.schemas().forEach(this::type);
    api.groups()
        .forEach((group, operations) -> {
          for (var operation : operations) {
            options(operation);
          }
          out.append("\nexport class %sOperations {\n".formatted(Sdk.pascal(group)));
          out.append("  constructor(protected readonly transport: Transport) {}\n");
          operations.forEach(this::method);
          out.append("}\n");
        });
    return out.toString();
  }

  private void type(Api.Schema schema) {
    out.append('\n');
    comment("", schema.description());
    out.append("export interface %s {\n".formatted(schema.name()));
    for (var property : schema.properties()) {
      comment("  ", property.description());
      out.append(
          "  %s%s: %s;\n"
              .formatted(property.name(), property.required() ? "" : "?", name(property.type())));
    }
    out.append("}\n");
  }

  private static String optionsName(Api.Operation operation) {
    return Sdk.pascal(operation.group()) + Sdk.pascal(operation.name()) + "Options";
  }

  private void options(Api.Operation operation) {
    if (operation.query().isEmpty()) {
      return;
    }
    out.append("\nexport interface %s extends CallOptions {\n".formatted(optionsName(operation)));
    for (var parameter : operation.query()) {
      comment("  ", parameter.description());
      out.append(
          "  %s%s: %s;\n"
              .formatted(
                  parameter.name(), parameter.required() ? "" : "?", name(parameter.type())));
    }
    out.append("}\n");
  }

  private void method(Api.Operation operation) {
    var parameters = new ArrayList<String>();
    operation.parts().forEach(it -> parameters.add(Sdk.camel(it.name()) + ": " + name(it.type())));
    switch (operation.body()) {
      case JSON -> parameters.add("body: " + operation.input());
      case DEFINITION -> parameters.add("definition: Definition");
      case NONE -> {}
    }
    var options = operation.query().isEmpty() ? "CallOptions" : optionsName(operation);
    boolean optional = operation.query().stream().noneMatch(Api.Property::required);
    parameters.add("options: " + options + (optional ? " = {}" : ""));
    var result = operation.answer().type() == null ? "void" : name(operation.answer().type());
    out.append('\n');
    comment("  ", operation.summary());
    out.append(
        "  %s(%s): Promise<%s> {\n"
            .formatted(operation.name(), String.join(", ", parameters), result));
    out.append("    return this.transport.call({\n");
    out.append("      method: \"%s\",\n".formatted(operation.method()));
    out.append("      path: `%s`,\n".formatted(path(operation)));
    if (!operation.query().isEmpty()) {
      var names =
          operation.query().stream()
              .map(it -> "%1$s: options.%1$s".formatted(it.name()))
              .collect(Collectors.joining(", "));
      out.append("      query: { %s },\n".formatted(names));
    }
    switch (operation.body()) {
      case JSON -> out.append("      body,\n");
      case DEFINITION -> out.append("      definition,\n");
      case NONE -> {}
    }
    out.append(
        "      repeat: \"%s\",\n"
            .formatted(operation.answer().repeat().name().toLowerCase(Locale.ROOT)));
    out.append("      answer: \"%s\",\n".formatted(answer(operation.answer())));
    out.append("      options,\n    });\n  }\n");
  }

  private static String answer(Api.Answer answer) {
    return answer.type() == null ? "none" : answer.text() ? "text" : "json";
  }

  private static String path(Api.Operation operation) {
    var path = operation.path();
    for (var part : operation.parts()) {
      path = path.replace("<" + part.name() + ">", "${part(" + Sdk.camel(part.name()) + ")}");
    }
    return path;
  }

  private static String name(Api.Type type) {
    return switch (type) {
      case Api.Type.Plain.TEXT, Api.Type.Plain.TIME -> "string";
      case Api.Type.Plain.INTEGER, Api.Type.Plain.LONG, Api.Type.Plain.DECIMAL -> "number";
      case Api.Type.Plain.FLAG -> "boolean";
      case Api.Type.Plain.ANY -> "any";
      case Api.Type.Plain.OBJECT -> "JsonObject";
      case Api.Type.ListOf(Api.Type.Words words) -> "(" + name(words) + ")[]";
      case Api.Type.ListOf(var element) -> name(element) + "[]";
      case Api.Type.MapOf(var value) -> "{ [key: string]: " + name(value) + " }";
      case Api.Type.Ref(var name) -> name;
      case Api.Type.Words(var values) ->
          values.stream().map(it -> '"' + it + '"').collect(Collectors.joining(" | "));
    };
  }

  private void comment(String indent, String text) {
    if (!text.isEmpty()) {
      out.append("%s/** %s */\n".formatted(indent, text.replace("*/", "*\\/")));
    }
  }
}
