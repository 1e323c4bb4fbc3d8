package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// Reads the fields of the state that steer agents (S1-10) and names those that report their result
/// (S1-11).
record AgentFields(ObjectValue state) {
  static final String SYSTEM_PROMPT = "system_prompt";
  static final String TOOLS = "tools";
  static final String MAX_ITERATIONS = "max_iterations";
  static final String ITERATION = "iteration";
  static final String FINISH_REASON = "finish_reason";
  static final String VALIDATED_CONTENT = "validated_content";

  static AgentFields of(NodeCall call) {
    return new AgentFields(call.state().channels());
  }

  Optional<String> systemPrompt() {
    return state.get(SYSTEM_PROMPT) instanceof Value.Text(var text) && !text.isBlank()
        ? Optional.of(text)
        : Optional.empty();
  }

  /// Names of tools.
  List<String> tools() {
    return state.get(TOOLS) instanceof ListValue list
        ? list.stream()
            .filter(Value.Text.class::isInstance)
            .map(it -> ((Value.Text) it).value())
            .toList()
        : List.of();
  }

  /// Calls of the model so far.
  long iteration() {
    return state.get(ITERATION) instanceof Value.Int(long count) ? count : 0;
  }

  boolean isLimitReached() {
    return state.get(MAX_ITERATIONS) instanceof Value.Int(long max) && iteration() >= max;
  }
}
