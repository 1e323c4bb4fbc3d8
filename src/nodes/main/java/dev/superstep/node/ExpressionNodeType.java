package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// Computes a node result from templates.
final class ExpressionNodeType implements NodeType {
  private final Expressions expressions;
  private final ObjectValue schema = ConfigSchema.read("expression");

  ExpressionNodeType(Expressions expressions) {
    this.expressions = expressions;
  }

  @Override
  public String name() {
    return "expression";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    var config = new NodeConfig(node, expressions);
    var result = config.whole();
    new LiteralReferences(config, node, graph).check("", node.config());
    var ifEmpty = mayBeEmpty(node.config()) ? node.routing().ifEmpty() : Optional.<NodeId>empty();
    return config.unlessRefused(() -> new ExpressionNode(new ResultTemplate(result, ifEmpty)));
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return ResultWrites.of(node.config());
  }

  @Override
  public void advise(Node node, GraphOutline graph, Location at) {
    if (node.config().get("interrupt") instanceof ObjectValue interrupt) {
      NodeResults.problems(interrupt).forEach(at::error);
    }
  }

  @Override
  public boolean repeatsItself() {
    return true;
  }

  @Override
  public boolean mayBeEmpty(ObjectValue config) {
    return ResultTemplate.mayBeEmpty(config);
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return ResultTemplate.mayRoute(config);
  }

  /// Evaluates the templates of an `expression` node to a node result.
  private record ExpressionNode(ResultTemplate result) implements NodeRunner {

    @Override
    public Outcome run(NodeCall call) {
      return result.outcome(call);
    }

    @Override
    public boolean pure() {
      return true;
    }
  }
}
