package dev.superstep.langgraph.thread;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// Writes the schemas of a graph: of its state from its channels, of its input as it declares it.
/// Messages are those that clients send and read.
final class GraphSchemas {
  private static final String PROPERTIES = "properties";
  private static final String REDUCER = "reducer";

  private GraphSchemas() {}

  /// As `GET …/schemas` has them.
  static ObjectValue of(String name, DefinedGraph graph) {
    var fields = graph.definition();
    var state = state(name, fields);
    return ObjectValue.builder()
        .put("graph_id", name)
        .put("input_schema", input(state, fields))
        .put("output_schema", output(state, fields))
        .put("state_schema", state)
        .put("config_schema", Value.NULL)
        .put("context_schema", context(fields))
        .build();
  }

  /// As `GET …/subgraphs` has them: under both names that clients know.
  static ObjectValue ofSubgraph(String name, DefinedGraph graph) {
    var schemas = of(name, graph);
    return schemas
        .plus("input", schemas.getOr("input_schema", Value.NULL))
        .plus("output", schemas.getOr("output_schema", Value.NULL))
        .plus("state", schemas.getOr("state_schema", Value.NULL))
        .plus("config", Value.NULL)
        .plus("context", schemas.getOr("context_schema", Value.NULL));
  }

  private static ObjectValue state(String name, ObjectValue fields) {
    var properties = ObjectValue.builder();
    fields
        .objectOrEmpty("channels")
        .forEach((channel, definition) -> {
          if (definition instanceof ObjectValue object) {
            properties.put(channel, channel(channel, object));
          }
        });
    return type("object").plus("title", name).plus(PROPERTIES, properties.build());
  }

  private static ObjectValue channel(String name, ObjectValue channel) {
    var reducer = channel.textOrEmpty(REDUCER);
    var schema =
        reducer.equals("messages")
            ? messages()
            : channel.findObject("schema").orElse(ofReducer(reducer));
    schema = schema.has("title") ? schema : schema.plus("title", name);
    return channel
        .find("default")
        .filter(_ -> !reducer.equals("messages"))
        .map(it -> schemaWith(channel, it))
        .map(schema::plusAll)
        .orElse(schema);
  }

  private static ObjectValue schemaWith(ObjectValue channel, Value value) {
    return channel.has("schema") ? ObjectValue.empty() : ObjectValue.of("default", value);
  }

  private static ObjectValue ofReducer(String reducer) {
    return switch (reducer) {
      case "append", "block_append", "union_set" -> type("array");
      case "merge", "deep_merge" -> type("object");
      case "sum", "max", "min" -> type("number");
      default -> ObjectValue.empty();
    };
  }

  private static ObjectValue messages() {
    var message =
        type("object")
            .plus("title", "Message")
            .plus(
                PROPERTIES,
                ObjectValue.of(
                        "type",
                        type("string")
                            .plus("enum", ListValue.texts("human", "ai", "system", "tool")))
                    .plus("content", ObjectValue.empty())
                    .plus("id", type("string")))
            .plus("required", ListValue.texts("type", "content"));
    return type("array").plus("items", message);
  }

  private static ObjectValue type(String type) {
    return ObjectValue.of("type", type);
  }

  /// What the graph declares; its messages, and all channels if it declares nothing, from the
  /// state.
  private static ObjectValue input(ObjectValue state, ObjectValue fields) {
    var declared = fields.findObject("input").map(it -> it.objectOrEmpty("schema"));
    if (declared.filter(it -> !it.isEmpty()).isEmpty()) {
      return state;
    }
    var schema = declared.get();
    var own = schema.objectOrEmpty(PROPERTIES);
    for (var channel : fields.objectOrEmpty("channels").asMap().entrySet()) {
      boolean holdsMessages =
          channel.getValue() instanceof ObjectValue object
              && Value.of("messages").equals(object.get(REDUCER));
      if (holdsMessages) {
        own = own.plus(channel.getKey(), messages().plus("title", channel.getKey()));
      }
    }
    return schema.plus(PROPERTIES, own);
  }

  private static ObjectValue output(ObjectValue state, ObjectValue fields) {
    var channels = fields.findObject("output").map(it -> it.texts("channels"));
    if (channels.isEmpty() || channels.get().isEmpty()) {
      return state;
    }
    var properties = ObjectValue.builder();
    if (state.get(PROPERTIES) instanceof ObjectValue all) {
      channels.get().forEach(it -> properties.put(it, all.getOr(it, ObjectValue.empty())));
    }
    return state.plus(PROPERTIES, properties.build());
  }

  /// The variables that the prompt context begins with.
  private static Value context(ObjectValue fields) {
    var variables = fields.findObject("context").map(it -> it.objectOrEmpty("variables"));
    if (variables.isEmpty()) {
      return Value.NULL;
    }
    var properties = ObjectValue.builder();
    variables
        .get()
        .forEach((name, value) -> properties.put(name, ObjectValue.of("default", value)));
    return type("object").plus(PROPERTIES, properties.build());
  }
}
