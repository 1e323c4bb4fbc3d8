package dev.superstep.node.tool;

import dev.superstep.json.Json;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;

/// What a person said about a call.
sealed interface Decision {

  record Approve() implements Decision {}

  record Edit(ObjectValue arguments) implements Decision {}

  record Reject(String reason) implements Decision {}

  /// The person answers in the tool's place.
  record Reply(String message) implements Decision {}

  /// Reads an answer that satisfies [#schema].
  static Decision read(ObjectValue answer) {
    return switch (text(answer, "decision")) {
      case "approve" -> new Approve();
      case "edit" ->
          new Edit(
              answer.get("arguments") instanceof ObjectValue object ? object : ObjectValue.empty());
      case "reply" -> new Reply(text(answer, "message"));
      default -> new Reject(text(answer, "reason"));
    };
  }

  private static String text(ObjectValue answer, String key) {
    return answer.get(key) instanceof Value.Text(var text) ? text : "";
  }

  /// The JSON Schema of answers about a call of this tool. A schema of arguments with references
  /// cannot stand inside another; then the tool checks them.
  static Value schema(Tool.Description tool) {
    var arguments = tool.inputSchema().minus("$schema");
    return ((ObjectValue) Json.read(SCHEMA))
        .plus(
            "properties",
            ((ObjectValue) Json.read(PROPERTIES))
                .plus(
                    "arguments",
                    arguments.toString().contains("\"$")
                        ? OBJECT
                        : arguments.plus("type", Value.of("object"))));
  }

  ObjectValue OBJECT = ObjectValue.of("type", Value.of("object"));

  String SCHEMA =
      """
      {"type": "object", "required": ["decision"], "additionalProperties": false,
       "allOf": [
         {"if": {"properties": {"decision": {"const": "edit"}}}, "then": {"required": ["arguments"]}},
         {"if": {"properties": {"decision": {"const": "reply"}}}, "then": {"required": ["message"]}}]}
      """;

  String PROPERTIES =
      """
      {"decision": {"enum": ["approve", "edit", "reject", "reply"]},
       "reason": {"type": "string"}, "message": {"type": "string"}}
      """;
}
