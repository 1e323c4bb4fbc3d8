package dev.superstep.node.expression;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.node.ResultTemplate;

/// Evaluates the templates of an `expression` node to a node result.
record ExpressionNode(ResultTemplate result) implements NodeRunner {

  @Override
  public Outcome run(NodeCall call) {
    return result.outcome(call);
  }

  @Override
  public boolean pure() {
    return true;
  }
}
