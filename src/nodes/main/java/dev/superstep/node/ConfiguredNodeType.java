package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A node type of this service. The resource `node-types/<name>.json` declares the keys of its
/// `config`: their types, defaults and descriptions; [#read] says what they mean.
public abstract class ConfiguredNodeType implements NodeType {
  /// Stands for a node result that only running the node tells.
  protected static final Value COMPUTED = Value.NULL;

  private final String name;
  private final Expressions expressions;
  private final ObjectValue schema;

  protected ConfiguredNodeType(String name, Expressions expressions) {
    this.name = name;
    this.expressions = expressions;
    schema = ConfigSchema.read(name);
  }

  @Override
  public final String name() {
    return name;
  }

  @Override
  public final ObjectValue configSchema() {
    return schema;
  }

  @Override
  public final NodeRunner create(Node node, GraphOutline graph) {
    var config = config(node, graph);
    return config.unlessRefused(read(config));
  }

  /// Reads all of `config`, so that every problem is found.
  ///
  /// @return makes the runner; called only if nothing was refused
  protected abstract Supplier<NodeRunner> read(NodeConfig config);

  protected final NodeConfig config(Node node, GraphOutline graph) {
    return new NodeConfig(node, graph, schema, expressions);
  }

  /// The node result that the author wrote, as templates; null: there is none.
  protected @Nullable Value result(ObjectValue config) {
    return config.get(ResultTemplate.KEY);
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    var result = result(node.config());
    return result == null ? WrittenChannels.NOTHING : ResultWrites.of(result);
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return ResultTemplate.mayRoute(result(config));
  }

  @Override
  public boolean mayBeEmpty(ObjectValue config) {
    return ResultTemplate.mayBeEmpty(result(config));
  }
}
