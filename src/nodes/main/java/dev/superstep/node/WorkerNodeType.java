package dev.superstep.node;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.TaskError;
import dev.superstep.expression.Expressions;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.function.Supplier;

/// Tasks for processes of the operator's own. Definitions may have such nodes already; this version
/// does not run them.
final class WorkerNodeType extends ConfiguredNodeType {
  private static final TaskError UNAVAILABLE =
      TaskError.permanent(
          "node_type_unavailable", "nodes of type 'worker' cannot run on this server yet");

  WorkerNodeType(Expressions expressions) {
    super("worker", expressions);
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    return WorkerNode::new;
  }

  @Override
  protected Value result(ObjectValue config) {
    return COMPUTED;
  }

  @Override
  public boolean available() {
    return false;
  }

  private record WorkerNode() implements MockableNode {
    @Override
    public Outcome run(NodeCall call) {
      return new Outcome.Failed(UNAVAILABLE);
    }

    @Override
    public NodeRunner answeredBy(Answers answers) {
      return call -> NodeResults.parse(answers.of(call));
    }
  }
}
