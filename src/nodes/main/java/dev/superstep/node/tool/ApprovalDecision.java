package dev.superstep.node.tool;

import dev.superstep.json.Json;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// A person's decision about a tool call.
sealed interface ApprovalDecision {

  record Approve() implements ApprovalDecision {}

  record Edit(ObjectValue arguments) implements ApprovalDecision {}

  record Reject(String reason) implements ApprovalDecision {}

  /// The person answers instead of the tool.
  record Reply(String message) implements ApprovalDecision {}

  /// The result that another run has got counts, and nothing is called.
  record UseResult() implements ApprovalDecision {}

  /// Reads an answer that satisfies [#schema].
  static ApprovalDecision read(ObjectValue answer) {
    return switch (answer.textOrEmpty("decision")) {
      case "approve" -> new Approve();
      case USE_RESULT -> new UseResult();
      case "edit" -> new Edit(answer.objectOrEmpty("arguments"));
      case "reply" -> new Reply(answer.textOrEmpty("message"));
      default -> new Reject(answer.textOrEmpty("reason"));
    };
  }

  String USE_RESULT = "use_result";

  /// The JSON Schema of answers about a call that another run has made already.
  ///
  /// @param resultKnown whether its result can be used
  static Value schema(Tool.Description tool, ToolCall toolCall, boolean resultKnown) {
    var schema = (ObjectValue) schema(tool, toolCall);
    if (!resultKnown) {
      return schema;
    }
    var properties = (ObjectValue) schema.getOr("properties", ObjectValue.empty());
    var decisions = (ObjectValue) Json.read(DECISIONS_OF_REPEATED);
    return schema.plus("properties", properties.plus("decision", decisions));
  }

  /// The JSON Schema of answers about a call of this tool. A schema of arguments with references
  /// cannot stand inside another; then the tool checks them. An approval may repeat the arguments
  /// that were asked about, and no others: other ones are an edit.
  static Value schema(Tool.Description tool, ToolCall toolCall) {
    var arguments = tool.inputSchema().minus("$schema");
    var schema = (ObjectValue) Json.read(SCHEMA);
    var cases = (ListValue) schema.getOr("allOf", ListValue.empty());
    return schema
        .plus("allOf", cases.plus(approval(toolCall.arguments())))
        .plus(
            "properties",
            ((ObjectValue) Json.read(PROPERTIES))
                .plus(
                    "arguments",
                    arguments.toString().contains("\"$")
                        ? OBJECT
                        : arguments.plus("type", "object")));
  }

  /// The JSON Schema of answers about a call that is not known yet.
  static Value any() {
    return ((ObjectValue) Json.read(SCHEMA))
        .plus("properties", ((ObjectValue) Json.read(PROPERTIES)).plus("arguments", OBJECT));
  }

  /// Whether the tool is called then.
  default boolean calls() {
    return switch (this) {
      case Approve _, Edit _ -> true;
      case Reject _, Reply _, UseResult _ -> false;
    };
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

  ObjectValue OBJECT = ObjectValue.of("type", "object");

  String SCHEMA =
      """
      {"type": "object", "required": ["decision"], "additionalProperties": false,
       "allOf": [
         {"if": {"properties": {"decision": {"const": "edit"}}}, "then": {"required": ["arguments"]}},
         {"if": {"properties": {"decision": {"const": "reply"}}}, "then": {"required": ["message"]}}]}
      """;

  String DECISIONS_OF_REPEATED =
      """
      {"enum": ["use_result", "approve", "edit", "reject", "reply"]}
      """;

  String PROPERTIES =
      """
      {"decision": {"enum": ["approve", "edit", "reject", "reply"]},
       "reason": {"type": "string"}, "message": {"type": "string"}}
      """;
}
