package dev.superstep.definition.check;

import dev.superstep.expression.ValueType;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueTypes;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// Finds what is known of the response of a node, by its type and its `config`, and of what it
/// writes.
final class ResponseTypes {
  private static final ValueType TOOLS =
      new ListOf(
          ValueTypes.closed(
              Map.of(
                  "id", ValueTypes.STRING,
                  "name", ValueTypes.STRING,
                  "content", Simple.ANY,
                  "is_error", Simple.BOOL)));

  private static final Pattern RESPONSE = Pattern.compile("\\{\\{\\s*response\\s*}}");

  private ResponseTypes() {}

  /// The variable `response` in the `config` of the node.
  static ValueType of(ObjectValue node) {
    var config = node.objectOrEmpty("config");
    return switch (node.textOrEmpty("type")) {
      case "http" ->
          isRequest(config) && !config.has("callback")
              ? http(SchemaTypeReader.read(config.find("response_schema")))
              : answered(config);
      case "llm" ->
          config.has("output_schema")
              ? SchemaTypeReader.read(config.find("output_schema"))
              : ValueTypes.STRING;
      case "human" -> SchemaTypeReader.read(config.find("answer_schema"));
      case "tool" -> TOOLS;
      default -> Simple.ANY;
    };
  }

  /// What comes from outside is checked where the node calls.
  private static ValueType answered(ObjectValue config) {
    return isRequest(config) ? SchemaTypeReader.read(config.find("response_schema")) : Simple.ANY;
  }

  /// The same before it is checked against a schema.
  static ValueType unchecked(ObjectValue node) {
    var config = node.objectOrEmpty("config");
    return node.isText("type", "http") && isRequest(config) ? http(Simple.ANY) : Simple.ANY;
  }

  private static boolean isRequest(ObjectValue config) {
    return config.isText("mode", "request");
  }

  private static ValueType http(ValueType body) {
    return ValueTypes.closed(
        Map.of("status", Simple.NUMBER, "headers", ValueTypes.OBJECT, "body", body));
  }

  /// What the node writes, by channel, as far as it is known.
  static Map<String, ValueType> written(ObjectValue node) {
    var written = new HashMap<String, ValueType>();
    var config = node.objectOrEmpty("config");
    switch (node.textOrEmpty("type")) {
      case "llm" -> config.findText("output_to").ifPresent(it -> written.put(it, of(node)));
      case "human" ->
          config
              .findText("answer_to")
              .or(() -> node.findText("id"))
              .ifPresent(it -> written.put(it, of(node)));
      case "expression" -> updated(config, Simple.ANY, written);
      default -> {}
    }
    config.findObject("result").ifPresent(it -> updated(it, of(node), written));
    return written;
  }

  private static void updated(
      ObjectValue result, ValueType response, Map<String, ValueType> written) {
    for (var key : new String[] {"update", "overwrite"}) {
      result
          .objectOrEmpty(key)
          .forEach((channel, value) ->
              written.merge(channel, updated(value, response), ValueTypes::join));
    }
  }

  private static ValueType updated(Value value, ValueType response) {
    return value instanceof Value.Text(var text) && RESPONSE.matcher(text).matches()
        ? response
        : SchemaTypeReader.of(value);
  }
}
