package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.task.TaskFailedException;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.model.ModelRequest;
import dev.superstep.node.Answers;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Answers like a model with what a test says: a text, `{content, tool_calls}`, or anything else as
/// JSON.
final class MockedModel {
  private static final String NAME = "mock";
  private static final String TOOL_CALLS = "tool_calls";
  private static final String CONTENT = "content";
  private static final Set<String> MESSAGE = Set.of(CONTENT, TOOL_CALLS);

  private MockedModel() {}

  /// Counts towards `limits.max_model_calls`, as a real call.
  static ModelAnswer answer(
      NodeCall call, Optional<String> model, ModelRequest request, Answers answers) {
    call.meter().begin();
    return switch (answers.ofModel(call, model, request)) {
      case Value.Text(var text) -> said(text, List.of());
      case ObjectValue message
          when message.has(TOOL_CALLS) && MESSAGE.containsAll(message.asMap().keySet()) ->
          said(
              PromptBuilder.text(message.getOr(CONTENT, Value.of(""))),
              toolCalls(message.getOr(TOOL_CALLS, Value.NULL)));
      case Value other -> said(Canonical.text(other), List.of());
    };
  }

  private static ModelAnswer said(String text, List<ModelAnswer.ToolCall> toolCalls) {
    return new ModelAnswer(
        text, toolCalls, toolCalls.isEmpty() ? "stop" : TOOL_CALLS, NAME, "", Usage.NOTHING);
  }

  private static List<ModelAnswer.ToolCall> toolCalls(Value value) {
    if (!(value instanceof ListValue list)) {
      throw bad();
    }
    var toolCalls = new ArrayList<ModelAnswer.ToolCall>();
    for (var item : list.asList()) {
      if (!(item instanceof ObjectValue call && call.get("name") instanceof Value.Text(var name))) {
        throw bad();
      }
      var id = call.get("id") instanceof Value.Text(var text) ? text : "";
      var arguments = call.getOr("arguments", ObjectValue.empty());
      toolCalls.add(
          new ModelAnswer.ToolCall(
              id,
              name,
              arguments instanceof Value.Text(var text) ? text : Canonical.text(arguments)));
    }
    return toolCalls;
  }

  private static TaskFailedException bad() {
    return TaskFailedException.permanent(
        "bad_mock", "tool_calls of a mocked model are a list of {name, arguments}");
  }
}
