package dev.superstep.definition.check;

import dev.superstep.expression.ValueType;
import dev.superstep.expression.ValueType.Simple;
import dev.superstep.expression.ValueTypes;
import dev.superstep.state.value.ObjectValue;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// What is known of the variables of expressions, wherever they stand.
final class VariableTypes {
  private static final ValueType RUN =
      ValueTypes.closed(
          Map.of(
              "id", ValueTypes.STRING,
              "graph", ValueTypes.STRING,
              "version", Simple.NUMBER,
              "superstep", Simple.NUMBER,
              "attempt", Simple.NUMBER,
              "num_vertices", Simple.NUMBER,
              "metadata", ValueTypes.OBJECT));

  /// A dispatch that has ended; only those that failed have an error.
  private static final ValueType ENDED =
      ValueTypes.closed(
          Map.of(
              "id", ValueTypes.STRING,
              "node", ValueTypes.STRING,
              "from", ValueTypes.STRING,
              "index", Simple.NUMBER,
              "metadata", Simple.ANY,
              "error",
                  ValueTypes.closed(
                      Map.of("code", ValueTypes.STRING, "message", ValueTypes.STRING))));

  private static final ValueType OUTCOMES =
      ValueTypes.closed(
          Map.of(
              "succeeded", new ValueType.ListOf(ENDED),
              "failed", new ValueType.ListOf(ENDED),
              "cancelled", new ValueType.ListOf(ENDED)));

  private static final ValueType CALLBACK =
      ValueTypes.closed(
          Map.of(
              "url", ValueTypes.STRING,
              "token", ValueTypes.STRING,
              "deadline", ValueTypes.STRING));

  private final StateTypes.KnownTypes known;
  private final Map<String, ValueType> everywhere;

  VariableTypes(ObjectValue graph, StateTypes.KnownTypes known) {
    this.known = known;
    everywhere =
        Map.of(
            "state",
            known.state(),
            "run",
            RUN,
            "node",
            ValueTypes.STRING,
            "error",
            StateTypes.ERROR,
            "dispatch",
            ValueTypes.closed(Map.of("id", ValueTypes.STRING, "metadata", Simple.ANY)),
            "outcomes",
            OUTCOMES,
            "resume",
            ValueTypes.closed(Map.of("interrupt_id", ValueTypes.STRING, "answer", Simple.ANY)),
            "params",
            params(graph));
  }

  private static ValueType params(ObjectValue graph) {
    var types = new HashMap<String, ValueType>();
    graph
        .objectOrEmpty("params")
        .forEach((name, it) ->
            types.put(
                name,
                it instanceof ObjectValue param
                    ? SchemaTypeReader.read(Optional.ofNullable(param.get("schema")))
                    : Simple.ANY));
    return ValueTypes.closed(types);
  }

  Map<String, ValueType> everywhere() {
    return everywhere;
  }

  /// Those in the `config` of a node.
  Map<String, ValueType> in(ObjectValue node) {
    var types = new HashMap<>(everywhere);
    types.put("response", ResponseTypes.of(node));
    if (node.objectOrEmpty("config").has("callback")) {
      types.put("callback", CALLBACK);
    }
    return types;
  }

  /// Those in conditions on the response of a node, which is not checked yet.
  Map<String, ValueType> judging(ObjectValue node) {
    var types = new HashMap<>(everywhere);
    types.put("response", ResponseTypes.unchecked(node));
    return types;
  }

  /// Those in the merge expression of a channel: what it holds, and what comes.
  Map<String, ValueType> merging(String channel) {
    return Map.of(
        "left", known.state().fields().getOrDefault(channel, Simple.ANY),
        "right", known.written().getOrDefault(channel, Simple.ANY));
  }
}
