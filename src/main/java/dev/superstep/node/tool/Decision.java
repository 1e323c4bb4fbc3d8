package dev.superstep.node.tool;

import dev.superstep.json.Json;
import dev.superstep.state.Canonical;
import dev.superstep.state.ListValue;
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
  /// cannot stand inside another; then the tool checks them. Who approves may repeat the arguments
  /// that were asked about, and no others: other ones are an edit.
  static Value schema(Tool.Description tool, Call call) {
    var arguments = tool.inputSchema().minus("$schema");
    var schema = (ObjectValue) Json.read(SCHEMA);
    var cases = (ListValue) schema.getOr("allOf", ListValue.empty());
    return schema
        .plus("allOf", cases.plus(approval(call.arguments())))
        .plus(
            "properties",
            ((ObjectValue) Json.read(PROPERTIES))
                .plus(
                    "arguments",
                    arguments.toString().contains("\"$")
                        ? OBJECT
                        : arguments.plus("type", Value.of("object"))));
  }

  private static Value approval(Value arguments) {
    Value same =
        Canonical.size(arguments) > REPEATED_BYTES_MAX
            ? Value.FALSE
            : ObjectValue.of("const", arguments);
    return ((ObjectValue) Json.read(IF_APPROVED))
        .plus("then", ObjectValue.of("properties", ObjectValue.of("arguments", same)));
  }

  /// Larger arguments are not repeated in the schema, and not in an approval either.
  long REPEATED_BYTES_MAX = 16 << 10;

  String IF_APPROVED =
      """
      {"if": {"properties": {"decision": {"const": "approve"}}}}
      """;

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
