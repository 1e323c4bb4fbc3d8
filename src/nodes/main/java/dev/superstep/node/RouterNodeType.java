package dev.superstep.node;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.expression.Expressions;
import java.util.function.Supplier;

/// Does nothing: the edges of the node decide (the seed's decision node).
final class RouterNodeType extends ConfiguredNodeType {

  RouterNodeType(Expressions expressions) {
    super("router", expressions);
  }

  @Override
  protected Supplier<NodeRunner> read(NodeConfig config) {
    return Pass::new;
  }

  @Override
  public boolean makesAttempts() {
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
