package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.graph.Node;
import dev.superstep.state.value.ObjectValue;

/// Does nothing: the edges of the node decide (the seed's decision node).
final class RouterNodeType implements NodeType {
  private final ObjectValue schema = ConfigSchema.read("router");

  @Override
  public String name() {
    return "router";
  }

  @Override
  public ObjectValue configSchema() {
    return schema;
  }

  @Override
  public NodeRunner create(Node node, GraphOutline graph) {
    return new Pass();
  }

  @Override
  public WrittenChannels writes(Node node, GraphOutline graph) {
    return WrittenChannels.NOTHING;
  }

  @Override
  public boolean makesAttempts() {
    return false;
  }

  @Override
  public boolean mayRoute(ObjectValue config) {
    return false;
  }

  private static final class Pass implements NodeRunner {
    @Override
    public Outcome run(NodeCall call) {
      return new Outcome.Done(NodeResult.NOTHING);
    }

    @Override
    public boolean pure() {
      return true;
    }
  }
}
