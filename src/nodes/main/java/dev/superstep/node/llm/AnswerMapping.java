package dev.superstep.node.llm;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.model.ModelAnswer;
import dev.superstep.model.ModelAnswer.ToolCall;
import dev.superstep.model.ModelAnswer.Usage;
import dev.superstep.node.ResultTemplate;
import dev.superstep.node.llm.PromptBuilder.Prompt;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Maps an answer of a model to updates of channels.
///
/// A node that extends a messages channel acts as an agent: it writes the fields of S1-11, too. A
/// dispatched one does not, so that siblings do not overwrite each other; with `output_to` or
/// `result` it writes there only.
///
/// @param messages the channel that the assistant message is appended to; empty: none
/// @param outputTo the channel that takes the answer itself; empty: none
/// @param result of the answer itself, in place of `outputTo`; empty: none
/// @param fields agent fields that the graph takes
/// @param counts whether `iteration` adds up what is written to it
record AnswerMapping(
    Optional<String> messages,
    Optional<String> outputTo,
    Optional<ResultTemplate> result,
    Set<String> fields,
    Counting counts) {

  /// The [AgentFields#FINISH_REASON] of a node that did not call because it was its turn once too
  /// often.
  private static final String LIMIT_REACHED = "max_iterations";

  /// How the channel `iteration` takes the next number.
  enum Counting {
    ADDS,
    REPLACES
  }

  boolean isAgent(NodeCall call) {
    return messages.isPresent() && call.task().dispatch() == null;
  }

  /// The id of the message that the answer becomes, if it becomes one.
  Optional<String> messageId(NodeCall call) {
    return makesMessage(call) ? Optional.of(call.messageId()) : Optional.empty();
  }

  private boolean makesMessage(NodeCall call) {
    boolean elsewhere = outputTo.isPresent() || result.isPresent();
    boolean dispatched = call.task().dispatch() != null;
    return messages.isPresent() && !(dispatched && elsewhere);
  }

  /// The result of an agent that has had all its turns.
  NodeResult limitReached() {
    return NodeResult.of(
        Change.update(
            agentField(ObjectValue.empty(), AgentFields.FINISH_REASON, Value.of(LIMIT_REACHED))));
  }

  NodeResult result(NodeCall call, AgentFields before, Prompt prompt, UsableAnswer usableAnswer) {
    var answer = usableAnswer.answer();
    var reason = answer.refusal().isEmpty() ? answer.finishReason() : "refusal";
    var text = answer.text().isEmpty() ? answer.refusal() : answer.text();
    var response = usableAnswer.validated().orElse(Value.of(text));
    var update = ObjectValue.empty();
    if (outputTo.isPresent()) {
      update = update.plus(outputTo.get(), response);
    }
    if (messages.isPresent() && makesMessage(call)) {
      var message = message(call, text, reason, usableAnswer);
      update = update.plus(messages.get(), ListValue.of(message));
    }
    if (isAgent(call)) {
      update = agent(update, before, reason, usableAnswer.validated());
    }
    var own =
        new NodeResult(
            Change.update(update),
            null,
            List.of(),
            variables(usableAnswer, reason),
            prompt.said(),
            text);
    return rendered(own, call, usableAnswer, response);
  }

  /// A model that asks for tools has not answered yet.
  private NodeResult rendered(
      NodeResult own, NodeCall call, UsableAnswer usableAnswer, Value response) {
    return result
        .filter(_ -> usableAnswer.answer().toolCalls().isEmpty())
        .map(it -> it.added(own, call, response))
        .orElse(own);
  }

  private ObjectValue agent(
      ObjectValue update, AgentFields before, String reason, Optional<Value> validated) {
    long next = counts == Counting.ADDS ? 1 : before.iteration() + 1;
    var changed = agentField(update, AgentFields.FINISH_REASON, Value.of(reason));
    changed = agentField(changed, AgentFields.ITERATION, Value.of(next));
    return validated.isEmpty()
        ? changed
        : agentField(changed, AgentFields.VALIDATED_CONTENT, validated.get());
  }

  private ObjectValue agentField(ObjectValue update, String field, Value value) {
    return fields.contains(field) ? update.plus(field, value) : update;
  }

  private static ObjectValue message(
      NodeCall call, String text, String reason, UsableAnswer usableAnswer) {
    var answer = usableAnswer.answer();
    var message = ObjectValue.of("id", call.messageId()).plus("role", "assistant");
    if (!text.isEmpty() || answer.toolCalls().isEmpty()) {
      message = message.plus("content", text);
    }
    if (!answer.toolCalls().isEmpty()) {
      message = message.plus("tool_calls", toolCalls(call.task().key(), answer));
    }
    var metadata =
        ObjectValue.of("model", answer.model())
            .plus("finish_reason", reason)
            .plus("usage", usage(usableAnswer.usage()));
    return message.plus("metadata", usableAnswer.answeredBy().addedTo(metadata));
  }

  private static ListValue toolCalls(TaskKey task, ModelAnswer answer) {
    var calls = ListValue.builder();
    var ids = new HashSet<String>();
    for (int i = 0; i < answer.toolCalls().size(); i++) {
      var call = answer.toolCalls().get(i);
      var id = call.id();
      if (id.isBlank() || !ids.add(id)) {
        id = ownId(task, i);
        ids.add(id);
      }
      calls.add(
          ObjectValue.of("id", id).plus("name", call.name()).plus("arguments", arguments(call)));
    }
    return calls.build();
  }

  /// Some providers give their calls no ids. Like all generated ids it does not depend on the run's
  /// (E5).
  private static String ownId(TaskKey task, int position) {
    var dispatch = task.dispatchId() == null ? "" : "-" + task.dispatchId();
    return "call-%d-%s%s-%d".formatted(task.superstep(), task.node(), dispatch, position);
  }

  /// Arguments that are no JSON object stay a text: the tool node reports them to the model.
  private static Value arguments(ToolCall call) {
    var text = call.arguments();
    if (text.isBlank()) {
      return ObjectValue.empty();
    }
    try {
      return Json.read(text) instanceof ObjectValue object ? object : Value.of(text);
    } catch (JsonException _) {
      return Value.of(text);
    }
  }

  private static ObjectValue variables(UsableAnswer usableAnswer, String reason) {
    var usage = usableAnswer.usage();
    // Not llm.model, by which graphs choose a model: providers report names of their own.
    var variables =
        ObjectValue.of("llm.response.model", usableAnswer.answer().model())
            .plus("llm.finish_reason", reason)
            .plus("llm.calls", usableAnswer.calls());
    return variables
        .plus("llm.answered_by", usableAnswer.answeredBy().model())
        .plus("llm.usage.input_tokens", usage.input())
        .plus("llm.usage.output_tokens", usage.output())
        .plus("llm.usage.cached_input_tokens", usage.cached().read())
        .plus("llm.usage.cache_write_tokens", usage.cached().written());
  }

  static ObjectValue usage(Usage usage) {
    var tokens =
        ObjectValue.of("input_tokens", usage.input()).plus("output_tokens", usage.output());
    var cached = usage.cached();
    return cached.isNothing()
        ? tokens
        : tokens
            .plus("cached_input_tokens", cached.read())
            .plus("cache_write_tokens", cached.written());
  }
}
