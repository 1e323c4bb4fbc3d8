package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// A compaction of a list: replaces some of its items by their summary.
///
/// Positions are those of the list that the summary was made of. The compaction is for that list
/// alone: `digest` identifies the items it began with.
///
/// @param from first item that is replaced
/// @param count how many
/// @param digest [StateHash] of the items up to and with the last one replaced
/// @param summary what takes their place; empty: nothing does
public record ListCompaction(
    String channel, int from, int count, String digest, Optional<ObjectValue> summary) {

  /// A compaction that removes items without a summary.
  public static ListCompaction of(
      String channel, ListValue list, CompactionRangeFinder.FoundRange range) {
    return new ListCompaction(
        channel, range.from(), range.count(), digest(list, range.end()), Optional.empty());
  }

  public ListCompaction with(ObjectValue message) {
    return new ListCompaction(channel, from, count, digest, Optional.of(message));
  }

  /// The position behind the last item that is replaced.
  public int end() {
    return from + count;
  }

  /// Whether the list begins as the one that the summary was made of. Costs O(1), but for the first
  /// time.
  public boolean fits(ListValue list) {
    return end() <= list.size() && digest(list, end()).equals(digest);
  }

  /// The list with the summary in place of the compacted items. Costs O(items that stay).
  ///
  /// @throws ReduceException if the list is too short
  public ListValue applyTo(ListValue list) {
    if (end() > list.size()) {
      throw new ReduceException(
          "", "%d items cannot be replaced, the channel has %d".formatted(end(), list.size()));
    }
    var head = list.slice(0, from);
    var begun = summary.isPresent() ? head.plus(summary.get()) : head;
    return begun.plusAll(list.slice(end(), list.size()));
  }

  private static String digest(ListValue list, int end) {
    return StateHash.of(list.slice(0, end));
  }
}
