package dev.superstep.agent;

import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeException;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// A function that tells of its progress and goes on when the test has heard of it. Its first
/// attempt fails.
final class Teller implements NodeFunction {
  final Semaphore heard = new Semaphore(0);

  @Override
  public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call)
      throws Exception {
    if (call.attempt() == 1) {
      call.emit("lost", null);
      throw NodeException.retryable("flaky", "comes to nothing");
    }
    call.emit("found", Map.of("pages", 3));
    heard.acquire();
    return FunctionResult.done().event("finished", "all").update("done", true);
  }
}
