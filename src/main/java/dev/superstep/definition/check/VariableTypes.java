package dev.superstep.definition.check;

import dev.superstep.definition.form.Fields;
import dev.superstep.expression.type.ValueType;
import dev.superstep.expression.type.ValueType.ObjectOf;
import dev.superstep.expression.type.ValueType.Simple;
import dev.superstep.expression.type.ValueTypes;
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

  private final Map<String, ValueType> everywhere;

  VariableTypes(Fields graph, ObjectOf state) {
    everywhere =
        Map.of(
            "state",
            state,
            "run",
            RUN,
            "node",
            ValueTypes.STRING,
            "error",
            StateTypes.ERROR,
            "dispatch",
            ValueTypes.closed(Map.of("id", ValueTypes.STRING, "metadata", Simple.ANY)),
            "resume",
            ValueTypes.closed(Map.of("interrupt_id", ValueTypes.STRING, "answer", Simple.ANY)),
            "params",
            params(graph));
  }

  private static ValueType params(Fields graph) {
    var types = new HashMap<String, ValueType>();
    graph
        .objectOr("params", ObjectValue.empty())
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
  Map<String, ValueType> in(Fields node) {
    var types = new HashMap<>(everywhere);
    types.put("response", ResponseTypes.of(node));
    return types;
  }
}
