package dev.superstep.json;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/// Converts values to Jackson's tree, for the schema library.
final class Nodes {
  private static final JsonNodeFactory FACTORY = JsonNodeFactory.instance;

  private Nodes() {}

  static JsonNode of(Value value) {
    return switch (value) {
      case Value.Null _ -> FACTORY.nullNode();
      case Value.Bool(var flag) -> FACTORY.booleanNode(flag);
      case Value.Int(var number) -> FACTORY.numberNode(number);
      case Value.Real(var number) -> FACTORY.numberNode(number);
      case Value.Text(var text) -> FACTORY.stringNode(text);
      case ListValue list -> {
        var node = FACTORY.arrayNode(list.size());
        list.forEach(it -> node.add(of(it)));
        yield node;
      }
      case ObjectValue object -> {
        var node = FACTORY.objectNode();
        object.forEach((key, member) -> node.set(key, of(member)));
        yield node;
      }
    };
  }
}
