package dev.superstep.agent;

import dev.superstep.node.FunctionCall;
import dev.superstep.node.FunctionResult;
import dev.superstep.node.NodeException;
import dev.superstep.node.NodeFunction;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A function whose dispatches end one at a time, in the order that `order` of the state says: each
/// asks about its item, and the item `broken` fails.
final class Asker implements NodeFunction {
  private final Map<String, Integer> ended = new HashMap<>();

  @Override
  public FunctionResult run(GraphState state, @Nullable ObjectValue input, FunctionCall call)
      throws InterruptedException {
    var item = Objects.requireNonNull(input).getOr("item", Value.NULL);
    if (call.resume().isPresent()) {
      return FunctionResult.done().update("said", item);
    }
    awaitTurn(call.run().id(), order(state), item);
    if (item.equals(Value.of("broken"))) {
      throw NodeException.permanent("broken", "it is broken");
    }
    return FunctionResult.interrupt("sure", item);
  }

  private static ListValue order(GraphState state) {
    return state.get("order") instanceof ListValue order ? order : ListValue.empty();
  }

  private synchronized void awaitTurn(String run, ListValue order, Value item)
      throws InterruptedException {
    while (!order.get(ended.getOrDefault(run, 0)).equals(item)) {
      wait();
    }
    ended.merge(run, 1, Integer::sum);
    notifyAll();
  }
}
