package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;

/// Finds the items of a list that a compaction may replace (definitions.md, *Compaction*; S0-9,
/// C21).
///
/// System messages at the beginning stay, and so do the last `keepLast` items, the newest user
/// message and what comes behind it as long as there is something before it to take. Nothing is
/// taken that would part an assistant message from the results of its tool calls, nor a call that
/// still waits for its result. Items that are no messages have no role; only their position counts.
public final class CompactionRangeFinder {
  private CompactionRangeFinder() {}

  /// @param from first item to replace
  /// @param end behind the last one; more than `from`
  public record FoundRange(int from, int end) {
    public int count() {
      return end - from;
    }
  }

  /// @return empty if there is nothing that a summary could stand for, other than a summary
  public static Optional<FoundRange> of(ListValue list, int keepLast) {
    int from = leading(list);
    int end = list.size() - keepLast;
    if (end <= from) {
      return Optional.empty();
    }
    int user = newestUser(list);
    var calls = ToolCalls.of(list, user);
    if (user < from || user >= end) {
      return ifSmaller(list, calls.withoutOpenCalls(from, end));
    }
    // A conversation that began with its only question grows behind it.
    return ifSmaller(list, calls.withoutOpenCalls(from, user))
        .or(() -> ifSmaller(list, calls.withoutOpenCalls(user + 1, end)));
  }

  /// How many messages a summary of these stands for: those of earlier summaries included.
  public static long covers(ListValue list, FoundRange range) {
    long covered = 0;
    for (int i = range.from(); i < range.end(); i++) {
      covered += covers(list.get(i));
    }
    return covered;
  }

  private static long covers(Value item) {
    return MessageShape.isSummary(item)
            && item instanceof ObjectValue message
            && message.get("metadata") instanceof ObjectValue metadata
            && metadata.get("covers") instanceof Value.Int(var covered)
            && covered > 0
        ? covered
        : 1;
  }

  /// The message that stands for `covers` others.
  public static ObjectValue summary(String text, long covers) {
    return ObjectValue.of("role", "system")
        .plus("content", text)
        .plus("metadata", ObjectValue.of("summary", Value.TRUE).plus("covers", covers));
  }

  private static int leading(ListValue list) {
    int at = 0;
    while (at < list.size()
        && MessageShape.hasRole(list.get(at), "system")
        && !MessageShape.isSummary(list.get(at))) {
      at++;
    }
    return at;
  }

  private static int newestUser(ListValue list) {
    for (int at = list.size() - 1; at >= 0; at--) {
      if (MessageShape.hasRole(list.get(at), "user")) {
        return at;
      }
    }
    return -1;
  }

  private static Optional<FoundRange> ifSmaller(ListValue list, FoundRange range) {
    for (int i = range.from(); i < range.end(); i++) {
      if (!MessageShape.isSummary(list.get(i))) {
        return Optional.of(range);
      }
    }
    return Optional.empty();
  }
}
