package dev.superstep.node.tool;

import dev.superstep.engine.NodeResult;
import dev.superstep.json.Json;
import dev.superstep.node.HistoryText;
import dev.superstep.node.tool.Journal.Question;
import dev.superstep.node.tool.Journal.Result;
import dev.superstep.state.Change;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.List;
import java.util.Set;

/// What a tool node writes when every call has its result: a message for each, in the order of the
/// calls, and the agent fields `interrupted`, `rejected` and `scratchpad` (S1-10, S1-11).
///
/// @param channel of the messages
/// @param fields agent fields that the graph takes
record Results(String channel, Set<String> fields) {
  static final String INTERRUPTED = "interrupted";
  static final String REJECTED = "rejected";
  static final String SCRATCHPAD = "scratchpad";

  NodeResult of(Planning planning, List<Call> calls) {
    var messages = ListValue.builder();
    var steps = ListValue.builder();
    long errors = 0;
    for (var call : calls) {
      if (!(planning.plan(call) instanceof Plan.Ended(var made, var result))) {
        throw new IllegalStateException("call '%s' has no result".formatted(call.id()));
      }
      errors += result.erred() ? 1 : 0;
      messages.add(message(call, result));
      steps.add(step(made, result));
    }
    var update = ObjectValue.of(channel, messages.build());
    if (planning.task().task().dispatch() == null) {
      update = fields(update, planning, calls, steps.build());
    }
    var variables =
        ObjectValue.of("tool.calls", Value.of(calls.size())).plus("tool.errors", Value.of(errors));
    // The history entry holds the calls (P2); what came of them is in the messages.
    var made = HistoryText.of(ListValue.of(calls.stream().map(Call::json).toList()));
    return new NodeResult(Change.update(update), null, List.of(), variables, made, null);
  }

  private static ObjectValue message(Call call, Result result) {
    var message =
        ObjectValue.of("role", Value.of("tool"))
            .plus("tool_call_id", Value.of(call.id()))
            .plus("name", Value.of(call.name()))
            .plus("content", Value.of(storable(result.content())));
    message = result.erred() ? message.plus("is_error", Value.TRUE) : message;
    return result.code().isEmpty()
        ? message
        : message.plus("metadata", ObjectValue.of("code", Value.of(result.code())));
  }

  /// A tool may say what no value can hold (durability rule 11).
  private static String storable(String text) {
    if (Json.isStorable(text)) {
      return text;
    }
    var kept = new StringBuilder();
    text.codePoints()
        .filter(it -> it != 0 && (it < Character.MIN_SURROGATE || it > Character.MAX_SURROGATE))
        .forEach(kept::appendCodePoint);
    return kept.toString();
  }

  private static ObjectValue step(Call call, Result result) {
    return ObjectValue.of("tool", Value.of(call.name()))
        .plus("arguments", call.arguments())
        .plus("observation", Value.of(storable(result.content())));
  }

  private ObjectValue fields(
      ObjectValue update, Planning planning, List<Call> calls, ListValue steps) {
    var changed = update;
    if (fields.contains(SCRATCHPAD)) {
      changed = changed.plus(SCRATCHPAD, steps);
    }
    if (!planning.mayAsk(calls)) {
      return changed;
    }
    var decisions =
        calls.stream()
            .flatMap(it -> planning.journal().decision(Question.APPROVAL, it).stream())
            .toList();
    if (fields.contains(INTERRUPTED)) {
      changed = changed.plus(INTERRUPTED, Value.of(!decisions.isEmpty()));
    }
    if (fields.contains(REJECTED)) {
      boolean rejected = decisions.stream().anyMatch(Decision.Reject.class::isInstance);
      changed = changed.plus(REJECTED, Value.of(rejected));
    }
    return changed;
  }
}
