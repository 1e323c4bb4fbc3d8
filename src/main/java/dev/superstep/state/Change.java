package dev.superstep.state;

import java.util.List;

/// What one task wants to alter (E4). The parts act in this order: `remove`, `removeMessages`,
/// `overwrite` (past the reducer), `update` (through it).
///
/// @param remove channels to delete
/// @param removeMessages ids of messages to take out of every channel with reducer `messages`
/// @param overwrite channel → value, replacing whatever is there
/// @param update channel → value, handed to the channel's reducer
public record Change(
    List<String> remove, List<String> removeMessages, ObjectValue overwrite, ObjectValue update) {

  public static final Change NONE =
      new Change(List.of(), List.of(), ObjectValue.empty(), ObjectValue.empty());

  public Change {
    remove = List.copyOf(remove);
    removeMessages = List.copyOf(removeMessages);
  }

  public static Change update(ObjectValue update) {
    return update.isEmpty() ? NONE : new Change(List.of(), List.of(), ObjectValue.empty(), update);
  }

  public static Change update(String channel, Value value) {
    return update(ObjectValue.of(channel, value));
  }

  public boolean isEmpty() {
    return remove.isEmpty() && removeMessages.isEmpty() && overwrite.isEmpty() && update.isEmpty();
  }
}
