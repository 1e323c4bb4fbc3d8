package dev.superstep.fault.extension;

import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.GraphState;
import dev.superstep.state.ObjectValue;
import org.jspecify.annotations.Nullable;

/// A node that takes its process with it.
public final class Halt implements NodeFunction {
  private static final int AS_IF_KILLED = 137;

  @Override
  public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call) {
    Runtime.getRuntime().halt(AS_IF_KILLED);
    return FunctionResult.done();
  }
}
