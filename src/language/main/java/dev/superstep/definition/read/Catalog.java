package dev.superstep.definition.read;

import dev.superstep.definition.DefinitionLimits;
import dev.superstep.definition.FunctionSource;
import dev.superstep.definition.form.DefinitionSchema;
import dev.superstep.definition.form.EditorSchema;
import dev.superstep.definition.form.ObjectSchema;
import dev.superstep.definition.form.Reducers;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Lists what definitions can refer to on this server.
public final class Catalog {
  private final ObjectSchema definitionSchema;
  private final DefinitionLimits limits;
  private final NodeTypes types;
  private final List<FunctionSource> sources;

  Catalog(NodeTypes types, List<FunctionSource> sources, DefinitionLimits limits) {
    this.definitionSchema = DefinitionSchema.graph(limits);
    this.limits = limits;
    this.types = types;
    this.sources = List.copyOf(sources);
  }

  /// By name.
  public List<NodeType> nodeTypes() {
    return types.all();
  }

  /// Node and merge functions, by kind and name.
  public List<FunctionSource.FunctionDescription> functions() {
    var all = new ArrayList<FunctionSource.FunctionDescription>();
    sources.forEach(it -> all.addAll(it.functions()));
    all.sort(
        Comparator.comparing(FunctionSource.FunctionDescription::kind)
            .thenComparing(FunctionSource.FunctionDescription::name));
    return all;
  }

  /// JSON Schemas of the long form, by name, `GraphDefinition` among them.
  public Map<String, ObjectValue> definitionSchemas() {
    var schemas = new TreeMap<String, ObjectValue>();
    definitionSchema.collect(schemas::put);
    return schemas;
  }

  /// One JSON Schema of the whole language as this server takes it, for editors.
  public ObjectValue editorSchema() {
    var configs = new TreeMap<String, ObjectValue>();
    types.all().forEach(it -> configs.put(it.name(), it.configSchema()));
    return EditorSchema.of(limits, configs);
  }

  /// A reducer as channels name it.
  ///
  /// @param text one sentence for people
  /// @param key the channel key it needs; empty: none
  public record ReducerDescription(String name, String text, String key) {}

  /// In the order of definitions.md.
  public List<ReducerDescription> reducers() {
    return Reducers.ALL.stream()
        .map(it ->
            new ReducerDescription(
                it.name(),
                it.text(),
                it.name().equals("expression") || it.name().equals("function") ? it.name() : ""))
        .toList();
  }
}
