package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;

/// Relates each tool result of a conversation to the message that called for it.
public final class ToolCalls {
  private static final int NOBODY = -1;

  /// For each tool result the position of the message that called for it.
  private final int[] askers;

  /// The position of the first message behind the newest user message whose calls are not all
  /// answered.
  private int open;

  private ToolCalls(int size) {
    askers = new int[size];
    Arrays.fill(askers, NOBODY);
    open = size;
  }

  /// Whether the conversation ends with calls of a model whose results are not all there: nothing
  /// may come between.
  public static boolean areOpen(ListValue messages) {
    var answered = new HashSet<Value>();
    for (int at = messages.size() - 1; at >= 0; at--) {
      if (!(messages.get(at) instanceof ObjectValue message)) {
        return false;
      }
      if (!message.has("tool_call_id")) {
        return message.objects("tool_calls").stream()
            .map(it -> it.getOr("id", Value.NULL))
            .anyMatch(it -> !answered.contains(it));
      }
      answered.add(message.getOr("tool_call_id", Value.NULL));
    }
    return false;
  }

  /// @param user position of the newest user message: calls before it are not answered any more
  static ToolCalls of(ListValue list, int user) {
    var calls = new ToolCalls(list.size());
    var asked = new HashMap<String, Integer>();
    var unanswered = new HashMap<String, Integer>();
    for (int at = 0; at < list.size(); at++) {
      if (list.get(at) instanceof ObjectValue message) {
        calls.note(message, at, asked, unanswered);
      }
    }
    unanswered.values().stream()
        .filter(it -> it > user)
        .min(Integer::compare)
        .ifPresent(it -> calls.open = it);
    return calls;
  }

  private void note(
      ObjectValue message, int at, Map<String, Integer> asked, Map<String, Integer> unanswered) {
    if (message.get("tool_calls") instanceof ListValue calls) {
      for (var item : calls) {
        if (item instanceof ObjectValue call && call.get("id") instanceof Value.Text(var id)) {
          asked.put(id, at);
          unanswered.put(id, at);
        }
      }
    }
    if (message.get("tool_call_id") instanceof Value.Text(var id)) {
      var asker = asked.get(id);
      askers[at] = asker == null ? NOBODY : asker;
      unanswered.remove(id);
    }
  }

  /// The largest part of a range that no pair of call and result reaches out of.
  CompactionRangeFinder.FoundRange withoutOpenCalls(int from, int end) {
    int begin = from;
    for (int at = begin; at < end; at++) {
      if (askers[at] != NOBODY && askers[at] < begin) {
        begin = at + 1;
      }
    }
    int low = open >= begin ? Math.min(end, open) : end;
    for (int at = askers.length - 1; at >= low; at--) {
      if (askers[at] >= begin) {
        low = Math.min(low, askers[at]);
      }
    }
    return new CompactionRangeFinder.FoundRange(begin, Math.max(begin, low));
  }
}
