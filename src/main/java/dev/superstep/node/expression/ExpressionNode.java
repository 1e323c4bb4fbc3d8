package dev.superstep.node.expression;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.task.NodeResult;
import dev.superstep.expression.Expression;
import dev.superstep.graph.NodeId;
import dev.superstep.node.NodeResults;
import java.util.List;
import java.util.Optional;

/// Evaluates the templates of an `expression` node to a node result.
///
/// @param ifEmpty where a `dispatch` that comes out empty leads, in place of the node's edges,
///   unless `goto` names a target; empty if no dispatch is configured
record ExpressionNode(Expression result, Optional<NodeId> ifEmpty) implements NodeRunner {

  @Override
  public Outcome run(NodeCall call) {
    return switch (NodeResults.parse(result.evaluate(call))) {
      case Outcome.Done(var done) -> new Outcome.Done(routed(done));
      case Outcome other -> other;
    };
  }

  private NodeResult routed(NodeResult done) {
    if (ifEmpty.isEmpty() || !done.dispatch().isEmpty() || done.goTo() != null) {
      return done;
    }
    return done.leadingTo(List.of(ifEmpty.get().value()));
  }

  @Override
  public boolean pure() {
    return true;
  }
}
