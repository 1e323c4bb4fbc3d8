package dev.superstep.state;

import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// The change of the state that one task requests (E4). The parts act in this order: `cuts`, which
/// only compactions have, `remove`, `removeMessages`, `overwrite` (past the reducer), `update`
/// (through it).
///
/// @param remove channels to delete
/// @param removeMessages ids of messages to take out of every channel with reducer `messages`
/// @param overwrite channel → value, replacing whatever is there
/// @param update channel → value, handed to the channel's reducer
/// @param cuts what a compaction replaces by summaries
public record Change(
    List<String> remove,
    List<String> removeMessages,
    ObjectValue overwrite,
    ObjectValue update,
    List<ListCompaction> cuts) {

  public static final Change NONE =
      new Change(List.of(), List.of(), ObjectValue.empty(), ObjectValue.empty());

  public Change {
    remove = List.copyOf(remove);
    removeMessages = List.copyOf(removeMessages);
    cuts = List.copyOf(cuts);
  }

  public Change(
      List<String> remove, List<String> removeMessages, ObjectValue overwrite, ObjectValue update) {
    this(remove, removeMessages, overwrite, update, List.of());
  }

  public static Change cut(ListCompaction listCompaction) {
    return new Change(
        List.of(), List.of(), ObjectValue.empty(), ObjectValue.empty(), List.of(listCompaction));
  }

  /// This change without its compactions.
  public Change withoutCuts() {
    return cuts.isEmpty() ? this : new Change(remove, removeMessages, overwrite, update);
  }

  public static Change update(ObjectValue update) {
    return update.isEmpty() ? NONE : new Change(List.of(), List.of(), ObjectValue.empty(), update);
  }

  public static Change update(String channel, Value value) {
    return update(ObjectValue.of(channel, value));
  }

  public boolean isEmpty() {
    return remove.isEmpty()
        && removeMessages.isEmpty()
        && overwrite.isEmpty()
        && update.isEmpty()
        && cuts.isEmpty();
  }
}
