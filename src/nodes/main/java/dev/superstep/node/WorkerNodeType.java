package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;

/// Tasks for processes of the operator's own. Definitions may have such nodes already; this version
/// does not run them.
final class WorkerNodeType implements NodeType {
  private static final TaskError UNAVAILABLE =
      TaskError.permanent(
          "node_type_unavailable", "nodes of type 'worker' cannot run on this server yet");

  private final ObjectValue schema = ConfigSchema.read("worker");

  @Override
  public String name() {
    return "worker";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    return new WorkerNode();
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
