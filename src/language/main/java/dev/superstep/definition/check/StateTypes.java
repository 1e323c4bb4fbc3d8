package dev.superstep.definition.check;

import dev.superstep.definition.form.AgentTemplate;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.expression.ValueType;
import dev.superstep.expression.ValueType.KnownMembers;
import dev.superstep.expression.ValueType.ListOf;
import dev.superstep.expression.ValueType.ObjectOf;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueType.Text;
import dev.superstep.expression.ValueTypes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Finds the channels that expressions may read as `state.x`, and what is known of their values: by
/// their schema, else by their reducer, else by all that writes them.
final class StateTypes {
  static final ValueType ERROR =
      ValueTypes.closed(
          Map.of(
              "code", ValueTypes.STRING,
              "message", ValueTypes.STRING,
              "node", ValueTypes.STRING,
              "superstep", Simple.NUMBER,
              "attempt", Simple.NUMBER,
              "details", Simple.ANY,
              "dispatch_id", ValueTypes.STRING));

  private static final ValueType TOOL_CALL =
      ValueTypes.closed(
          Map.of("id", ValueTypes.STRING, "name", ValueTypes.STRING, "arguments", Simple.ANY));

  private static final ValueType MESSAGE =
      ValueTypes.closed(
          Map.of(
              "id", ValueTypes.STRING,
              "role", new Text(List.of("system", "user", "assistant", "tool")),
              "content", Simple.ANY,
              "name", ValueTypes.STRING,
              "tool_calls", new ListOf(TOOL_CALL),
              "tool_call_id", ValueTypes.STRING,
              "is_error", Simple.BOOL,
              "metadata", ValueTypes.OBJECT));

  private final ObjectValue graph;
  private final Location at;
  private final DeclaredNames declaredNames;
  private final Map<String, WrittenChannels> writes;

  /// What is written to channels, by channel.
  private final Map<String, ValueType> written = new HashMap<>();

  private StateTypes(
      ObjectValue graph,
      Location at,
      DeclaredNames declaredNames,
      Map<String, WrittenChannels> writes) {
    this.graph = graph;
    this.at = at;
    this.declaredNames = declaredNames;
    this.writes = writes;
  }

  /// @param state the variable
  /// @param written what comes to each channel, where all that writes is known
  record KnownTypes(ObjectOf state, Map<String, ValueType> written) {}

  /// @param writes of the nodes, by id
  static KnownTypes of(
      ObjectValue graph,
      Location at,
      DeclaredNames declaredNames,
      Map<String, WrittenChannels> writes) {
    return new StateTypes(graph, at, declaredNames, writes).read();
  }

  private KnownTypes read() {
    var nodes = Item.each(graph, "nodes", at);
    boolean certain =
        writes.values().stream().allMatch(it -> it.others() == WrittenChannels.Others.NONE)
            && writes.size() == nodes.size();
    findWrites(nodes);
    var types = new HashMap<String, ValueType>();
    var channels = graph.objectOrEmpty("channels");
    declaredNames.channels().forEach(it -> types.put(it, channel(it, channels, certain)));
    if (!declaredNames.strict()) {
      written.forEach((name, type) -> types.putIfAbsent(name, certain ? type : Simple.ANY));
      AgentTemplate.fields().forEach(it -> types.putIfAbsent(it, Simple.ANY));
    }
    var members = declaredNames.strict() || certain ? KnownMembers.CLOSED : KnownMembers.OPEN;
    return new KnownTypes(new ObjectOf(types, members), certain ? written : Map.of());
  }

  private void findWrites(List<Item> nodes) {
    nodes.forEach(this::findWrites);
    for (var edge : Item.each(graph, "edges", at)) {
      edge.findText("error_to").ifPresent(it -> write(it, ERROR));
    }
    graph
        .findObject("input")
        .flatMap(it -> it.findObject("schema"))
        .flatMap(it -> it.findObject("properties"))
        .ifPresent(it ->
            it.forEach((name, schema) -> write(name, SchemaTypeReader.read(Optional.of(schema)))));
  }

  private void findWrites(Item node) {
    var found = writes.getOrDefault(node.textOrEmpty("id"), WrittenChannels.NOTHING);
    var known = ResponseTypes.written(node.object());
    found.own().forEach(it -> write(it, known.getOrDefault(it, Simple.ANY)));
    found.named().forEach(it -> write(it, known.getOrDefault(it, Simple.ANY)));
  }

  private void write(String channel, ValueType type) {
    written.merge(channel, type, ValueTypes::join);
  }

  private ValueType channel(String name, ObjectValue channels, boolean certain) {
    var channel = channels.objectOrEmpty(name);
    if (channel.has("schema")) {
      return SchemaTypeReader.read(channel.find("schema"));
    }
    return switch (channel.findText("reducer").orElse("last_value")) {
      case "messages" -> new ListOf(MESSAGE);
      case "append", "block_append", "union" -> ValueTypes.LIST;
      case "sum", "increment" -> Simple.NUMBER;
      case "merge", "deep_merge" -> ValueTypes.OBJECT;
      case "last_value", "first_value" ->
          certain && written.containsKey(name)
              ? ValueTypes.join(
                  written.get(name),
                  channel.find("default").map(SchemaTypeReader::of).orElse(Simple.NULL))
              : Simple.ANY;
      default -> Simple.ANY;
    };
  }
}
