package dev.superstep.testing.kit;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// What a [Fake] is called with.
///
/// @param node the id of the node
/// @param attempt from 1
/// @param state that every task of the superstep sees
/// @param input of a node: that of its dispatch, `{}` without one; of a tool: its arguments
/// @param messages of a model: its prompt, system messages among them; else empty
public record FakeCall(
    String node,
    int superstep,
    int attempt,
    GraphState state,
    ObjectValue input,
    List<ObjectValue> messages) {
  public FakeCall {
    messages = List.copyOf(messages);
  }

  static FakeCall of(NodeCall call, List<ObjectValue> messages) {
    var dispatch = call.task().dispatch();
    return new FakeCall(
        call.task().node().id().value(),
        call.task().key().superstep(),
        call.attempt(),
        call.state(),
        dispatch == null ? ObjectValue.empty() : dispatch.input(),
        messages);
  }

  FakeCall with(ObjectValue arguments) {
    return new FakeCall(node, superstep, attempt, state, arguments, messages);
  }
}
