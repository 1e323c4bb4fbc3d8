import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/// `generated.py`: frozen dataclasses, and a class with methods for each group, which take the
/// members of a body as keywords.
final class Python {
  private static final Set<String> RESERVED =
      Set.of(
          "and",
          "as",
          "assert",
          "async",
          "await",
          "break",
          "class",
          "continue",
          "def",
          "del",
          "elif",
          "else",
          "except",
          "finally",
          "for",
          "from",
          "global",
          "if",
          "import",
          "in",
          "is",
          "lambda",
          "nonlocal",
          "not",
          "or",
          "pass",
          "raise",
          "return",
          "try",
          "while",
          "with",
          "yield");

  private final Api api;
  private final StringBuilder out = new StringBuilder();

  Python(Api api) {
    this.api = api;
  }

  String source() {
    out.append("# Written by src/server/build/sdk/Sdk.java from docs/openapi.yaml. Do not edit.\n");
    out.append("from __future__ import annotations\n\n");
    out.append("import datetime\nfrom dataclasses import dataclass\n");
    out.append("from typing import TYPE_CHECKING, Any, Dict, List, Literal, Mapping, Optional\n");
    out.append("from typing import Sequence, Union\n\n");
    out.append("from .calls import Call, Definition, part\nfrom .codec import given\n\n");
    out.append("if TYPE_CHECKING:\n    from .transport import Transport\n");
    api.schemas().forEach(this::type);
    api.groups()
        .forEach((group, operations) -> {
          out.append("\n\nclass %sOperations:\n".formatted(Sdk.pascal(group)));
          out.append("    def __init__(self, transport: Transport) -> None:\n");
          out.append("        self._transport = transport\n");
          operations.forEach(this::method);
        });
    return out.toString();
  }

  private void type(Api.Schema schema) {
    out.append("\n\n@dataclass(frozen=True, kw_only=True)\nclass %s:\n".formatted(schema.name()));
    doc("    ", schema.description());
    if (schema.properties().isEmpty()) {
      out.append("    pass\n");
    }
    for (var property : schema.properties()) {
      var type = answered(property.type());
      out.append(
          "    %s: %s\n"
              .formatted(
                  safe(property.name()),
                  property.required() ? type : "Optional[%s] = None".formatted(type)));
      doc("    ", property.description());
    }
  }

  private void method(Api.Operation operation) {
    var members = members(operation);
    var parameters = new ArrayList<>(List.of("self"));
    operation.parts().forEach(it -> parameters.add(it.name() + ": " + answered(it.type())));
    if (operation.body() == Api.Body.DEFINITION) {
      parameters.add("definition: Definition");
    }
    parameters.add("*");
    members.stream().filter(Api.Property::required).forEach(it -> parameters.add(keyword(it)));
    operation.query().stream()
        .filter(Api.Property::required)
        .forEach(it -> parameters.add(keyword(it)));
    members.stream().filter(it -> !it.required()).forEach(it -> parameters.add(keyword(it)));
    operation.query().stream()
        .filter(it -> !it.required())
        .forEach(it -> parameters.add(keyword(it)));
    if (operation.answer().repeat() == Api.Repeat.KEYED) {
      parameters.add("idempotency_key: Optional[str] = None");
    }
    if (parameters.getLast().equals("*")) {
      parameters.removeLast();
    }
    var type = operation.answer().type();
    out.append("\n    def %s(\n".formatted(safe(Sdk.snake(operation.name()))));
    parameters.forEach(it -> out.append("        %s,\n".formatted(it)));
    out.append("    ) -> %s:\n".formatted(type == null ? "None" : answered(type)));
    doc("        ", operation.summary());
    out.append("        return self._transport.call(\n            Call(\n");
    arguments(operation, members);
    out.append("            ),\n            %s,\n        )\n".formatted(kind(type)));
  }

  private void arguments(Api.Operation operation, List<Api.Property> members) {
    line("method=\"%s\"".formatted(operation.method()));
    line("path=f\"%s\"".formatted(path(operation)));
    if (!operation.query().isEmpty()) {
      line("query={%s}".formatted(pairs(operation.query(), true)));
    }
    if (operation.body() == Api.Body.DEFINITION) {
      line("definition=definition");
    }
    if (operation.body() == Api.Body.JSON) {
      line("body={%s**given({%s})}".formatted(required(members), pairs(members, false)));
    }
    var repeat = operation.answer().repeat();
    line("repeat=\"%s\"".formatted(repeat.name().toLowerCase(Locale.ROOT)));
    if (repeat == Api.Repeat.KEYED) {
      line("idempotency_key=idempotency_key");
    }
    if (operation.answer().text()) {
      line("accept=\"text/plain\"");
    }
  }

  private void line(String argument) {
    out.append("                %s,\n".formatted(argument));
  }

  private static String required(List<Api.Property> members) {
    var pairs = pairs(members.stream().filter(Api.Property::required).toList(), true);
    return pairs.isEmpty() ? "" : pairs + ", ";
  }

  private static String pairs(List<Api.Property> properties, boolean all) {
    return properties.stream()
        .filter(it -> all || !it.required())
        .map(it -> "\"%s\": %s".formatted(it.name(), safe(it.name())))
        .collect(Collectors.joining(", "));
  }

  private List<Api.Property> members(Api.Operation operation) {
    return api.schemas().stream()
        .filter(it -> it.name().equals(operation.input()))
        .flatMap(it -> it.properties().stream())
        .toList();
  }

  private static String keyword(Api.Property property) {
    return property.required()
        ? safe(property.name()) + ": " + sent(property.type())
        : "%s: Optional[%s] = None".formatted(safe(property.name()), sent(property.type()));
  }

  private static String path(Api.Operation operation) {
    var path = operation.path();
    for (var part : operation.parts()) {
      path = path.replace("<" + part.name() + ">", "{part(" + part.name() + ")}");
    }
    return path;
  }

  static String safe(String name) {
    return RESERVED.contains(name) ? name + "_" : name;
  }

  /// The type at run time, by which an answer is read.
  private static String kind(Api.Type type) {
    return type == null ? "None" : type instanceof Api.Type.Ref(var name) ? name : "Any";
  }

  private static String answered(Api.Type type) {
    return switch (type) {
      case Api.Type.Plain.TEXT -> "str";
      case Api.Type.Plain.TIME -> "datetime.datetime";
      case Api.Type.Plain.INTEGER, Api.Type.Plain.LONG -> "int";
      case Api.Type.Plain.DECIMAL -> "float";
      case Api.Type.Plain.FLAG -> "bool";
      case Api.Type.Plain.ANY -> "Any";
      case Api.Type.Plain.OBJECT -> "Dict[str, Any]";
      case Api.Type.ListOf(var element) -> "List[" + answered(element) + "]";
      case Api.Type.MapOf(var value) -> "Dict[str, " + answered(value) + "]";
      case Api.Type.Ref(var name) -> name;
      case Api.Type.Words(var values) ->
          values.stream()
              .map(it -> '"' + it + '"')
              .collect(Collectors.joining(", ", "Literal[", "]"));
    };
  }

  private static String sent(Api.Type type) {
    return switch (type) {
      case Api.Type.Plain.TIME -> "Union[str, datetime.datetime]";
      case Api.Type.Plain.OBJECT -> "Mapping[str, Any]";
      case Api.Type.ListOf(var element) -> "Sequence[" + sent(element) + "]";
      case Api.Type.MapOf(var value) -> "Mapping[str, " + sent(value) + "]";
      case Api.Type.Ref(var name) -> "Union[" + name + ", Mapping[str, Any]]";
      default -> answered(type);
    };
  }

  private void doc(String indent, String text) {
    if (!text.isEmpty()) {
      var safe = text.replace("\\", "\\\\").replace("\"\"\"", "'''");
      out.append("%s\"\"\"%s\"\"\"\n".formatted(indent, safe.endsWith("\"") ? safe + " " : safe));
    }
  }
}
