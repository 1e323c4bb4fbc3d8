package dev.superstep.definition.form;

import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.form.Schema.Audience;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/// One JSON Schema of the whole language, for editors: the tables by which definitions are read,
/// and the `config` of every node type. What it accepts may still be refused for what keys mean to
/// each other.
public final class EditorSchema {
  private static final String NODE = "NodeDefinition";
  private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";

  private EditorSchema() {}

  /// @param configs node type → JSON Schema of its `config`
  public static ObjectValue of(DefinitionLimits limits, Map<String, ObjectValue> configs) {
    var table = DefinitionSchema.graph(limits);
    var definitions = new TreeMap<String, Value>();
    table.collect(Audience.AUTHOR, definitions::put);
    configs.forEach((type, schema) -> definitions.put(config(type), schema.minus("$schema")));
    definitions.computeIfPresent(NODE, (_, node) -> node((ObjectValue) node, configs));
    // The document is a graph: no reference stands between an editor and its keys.
    var root = (ObjectValue) Objects.requireNonNull(definitions.remove("GraphDefinition"));
    return root.plus("$schema", DIALECT)
        .plus("title", "Superstep graph")
        .plus("$defs", ObjectValue.of(definitions));
  }

  private static String config(String type) {
    return "config." + type;
  }

  /// A node's `type` says what its `config` takes.
  private static ObjectValue node(ObjectValue node, Map<String, ObjectValue> configs) {
    var cases = new ArrayList<Value>();
    configs.forEach((type, schema) -> {
      var is =
          ObjectValue.of("properties", ObjectValue.of("type", ObjectValue.of("const", type)))
              .plus("required", ListValue.texts("type"));
      var then =
          ObjectValue.of(
              "properties", ObjectValue.of("config", SchemaText.definition(config(type))));
      cases.add(
          ObjectValue.of("if", is)
              .plus(
                  "then",
                  schema.has("required")
                      ? then.plus("required", ListValue.texts("config"))
                      : then));
    });
    var names = ListValue.texts(configs.keySet().stream().sorted().toArray(String[]::new));
    var properties = node.objectOrEmpty("properties");
    var type = properties.objectOrEmpty("type");
    return node.plus("properties", properties.plus("type", type.plus("enum", names)))
        .plus("allOf", ListValue.of(cases));
  }
}
