package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.function.Supplier;

/// Computes a node result from templates.
final class ExpressionNodeType extends ConfiguredNodeType {

  ExpressionNodeType(Expressions expressions) {
    super("expression", expressions);
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    var result = config.whole();
    var written = config.node().config();
    new LiteralReferences(config).check("", written);
    var ifEmpty =
        mayBeEmpty(written) ? config.node().routing().ifEmpty() : Optional.<NodeId>empty();
    return () -> new ExpressionNode(new ResultTemplate(result, ifEmpty));
  }

  @Override
  protected Value result(ObjectValue config) {
    return config;
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
