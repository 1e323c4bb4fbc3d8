package dev.superstep.state;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Derives the change between the state a node function saw and the one it returned, where that is
/// unambiguous (E4): `last_value` gives the value, `append`, `block_append` and `messages` the
/// items after the old list, `sum` the difference, a channel that is gone its removal.
public final class ChangeDerivation {

  /// The result of a derivation.
  public sealed interface DerivedChange {
    record Derived(Change change) implements DerivedChange {}

    /// The task fails with `delta_not_derivable`.
    record NotDerivable(String channel, String message) implements DerivedChange {}
  }

  private ChangeDerivation() {}

  public static DerivedChange derive(Channels channels, GraphState before, GraphState after) {
    var removed = new ArrayList<String>();
    for (var name : before.channels().asMap().keySet()) {
      if (after.get(name) == null) {
        removed.add(name);
      }
    }
    var update = ObjectValue.builder();
    for (var entry : after.channels().asMap().entrySet()) {
      var old = before.get(entry.getKey());
      if (!entry.getValue().equals(old)) {
        var channel = channels.get(entry.getKey());
        try {
          update.put(channel.name(), difference(channel.reducer(), old, entry.getValue()));
        } catch (ReduceException e) {
          return new DerivedChange.NotDerivable(channel.name(), String.valueOf(e.getMessage()));
        }
      }
    }
    return new DerivedChange.Derived(
        new Change(removed, List.of(), ObjectValue.empty(), update.build()));
  }

  private static Value difference(Reducer reducer, @Nullable Value before, Value after) {
    if (reducer instanceof Reducer.LastValue) {
      return after;
    }
    if (reducer instanceof Reducer.Sum) {
      return Numbers.difference(before, after);
    }
    if (reducer instanceof Reducer.Append
        || reducer instanceof Reducer.BlockAppend
        || reducer instanceof Reducer.Messages) {
      return suffix(before, after);
    }
    throw new ReduceException(
        "", "the channel's reducer takes updates that a new value does not show");
  }

  private static Value suffix(@Nullable Value before, Value after) {
    var old = Typed.list(before);
    if (after instanceof ListValue list
        && list.size() >= old.size()
        && list.slice(0, old.size()).equals(old)) {
      return list.slice(old.size(), list.size());
    }
    throw new ReduceException("", "the new value does not start with the old items");
  }
}
