package dev.superstep.node.tool;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.json.Json;
import dev.superstep.node.HistoryText;
import dev.superstep.node.ResultTemplate;
import dev.superstep.node.tool.ToolCallJournal.JournaledResult;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Builds what a tool node writes once every call has its result: a message for each, in the order
/// of the calls, and the agent fields `interrupted`, `rejected` and `scratchpad` (S1-10, S1-11).
///
/// @param channel of the messages
/// @param fields agent fields that the graph takes
/// @param result over the list of results; empty: nothing but messages becomes of them
record ToolResults(String channel, Set<String> fields, Optional<ResultTemplate> result) {
  static final String INTERRUPTED = "interrupted";
  static final String REJECTED = "rejected";
  static final String SCRATCHPAD = "scratchpad";

  /// The result where there was nothing to call.
  NodeResult ofNone(NodeCall task) {
    return with(NodeResult.NOTHING, task, ListValue.empty());
  }

  private NodeResult with(NodeResult own, NodeCall task, ListValue response) {
    return result.map(it -> it.added(own, task, response)).orElse(own);
  }

  NodeResult of(ToolCallPlanner toolCallPlanner, List<ToolCall> toolCalls)
      throws InterruptedException {
    var messages = ListValue.builder();
    var response = ListValue.builder();
    var steps = ListValue.builder();
    long errors = 0;
    for (var toolCall : toolCalls) {
      if (!(toolCallPlanner.plan(toolCall) instanceof ToolCallPlan.Ended(var made, var result))) {
        throw new IllegalStateException("call '%s' has no result".formatted(toolCall.id()));
      }
      errors += result.erred() ? 1 : 0;
      messages.add(message(toolCall, result));
      response.add(response(toolCall, result));
      steps.add(step(made, result));
    }
    var update = ObjectValue.of(channel, messages.build());
    if (toolCallPlanner.task().task().dispatch() == null) {
      update = fields(update, toolCallPlanner, toolCalls, steps.build());
    }
    var variables = ObjectValue.of("tool.calls", toolCalls.size()).plus("tool.errors", errors);
    // The history entry holds the calls (P2); their results are in the messages.
    var made = HistoryText.of(ListValue.of(toolCalls.stream().map(ToolCall::json).toList()));
    var own = new NodeResult(Change.update(update), null, List.of(), variables, made, null);
    return with(own, toolCallPlanner.task(), response.build());
  }

  private static ObjectValue response(ToolCall toolCall, JournaledResult result) {
    return ObjectValue.of("id", toolCall.id())
        .plus("name", toolCall.name())
        .plus("content", storable(result.content()))
        .plus("is_error", result.erred());
  }

  private static ObjectValue message(ToolCall toolCall, JournaledResult result) {
    var message =
        ObjectValue.of("role", "tool")
            .plus("tool_call_id", toolCall.id())
            .plus("name", toolCall.name())
            .plus("content", storable(result.content()));
    message = result.erred() ? message.plus("is_error", Value.TRUE) : message;
    return result.code().isEmpty()
        ? message
        : message.plus("metadata", ObjectValue.of("code", result.code()));
  }

  /// A tool's text may hold characters that no value can (durability rule 11).
  static String storable(String text) {
    if (Json.isStorable(text)) {
      return text;
    }
    var kept = new StringBuilder();
    text.codePoints()
        .filter(it -> it != 0 && (it < Character.MIN_SURROGATE || it > Character.MAX_SURROGATE))
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  private static ObjectValue step(ToolCall toolCall, JournaledResult result) {
    return ObjectValue.of("tool", toolCall.name())
        .plus("arguments", toolCall.arguments())
        .plus("observation", storable(result.content()));
  }

  private ObjectValue fields(
      ObjectValue update,
      ToolCallPlanner toolCallPlanner,
      List<ToolCall> toolCalls,
      ListValue steps) {
    var changed = update;
    if (fields.contains(SCRATCHPAD)) {
      changed = changed.plus(SCRATCHPAD, steps);
    }
    if (!toolCallPlanner.mayAsk(toolCalls)) {
      return changed;
    }
    var approvalDecisions =
        toolCalls.stream()
            .flatMap(it -> toolCallPlanner.toolCallJournal().approval(it).stream())
            .toList();
    if (fields.contains(INTERRUPTED)) {
      changed = changed.plus(INTERRUPTED, !approvalDecisions.isEmpty());
    }
    if (fields.contains(REJECTED)) {
      boolean rejected =
          approvalDecisions.stream().anyMatch(ApprovalDecision.Reject.class::isInstance);
      changed = changed.plus(REJECTED, rejected);
    }
    return changed;
  }
}
