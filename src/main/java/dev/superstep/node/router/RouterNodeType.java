package dev.superstep.node.router;

import dev.superstep.definition.GraphOutline;
import dev.superstep.definition.NodeType;
import dev.superstep.definition.Writes;
import dev.superstep.engine.NodeCall;
import dev.superstep.engine.NodeResult;
import dev.superstep.engine.NodeRunner;
import dev.superstep.engine.Outcome;
import dev.superstep.graph.Node;
import dev.superstep.node.ConfigSchema;
import dev.superstep.state.ObjectValue;
import org.springframework.stereotype.Component;

/// Does nothing: the edges of the node decide (the seed's decision node).
@Component
final class RouterNodeType implements NodeType {
  private final ObjectValue schema = ConfigSchema.read("router");

  @Override
  public String name() {
    return "router";
  }

  @Override
  public String description() {
    return ConfigSchema.describe(schema);
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
  public Writes writes(Node node, GraphOutline graph) {
    return Writes.NOTHING;
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
