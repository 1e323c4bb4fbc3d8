package dev.superstep.engine.settle;

import dev.superstep.state.Change;
import dev.superstep.state.ListCompaction;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.Set;

/// The items that a compaction presupposes: a channel's items up to the last one it replaces.
///
/// @param ids of the messages among them
record CompactionRange(String channel, Set<String> ids) {

  static CompactionRange of(ListCompaction listCompaction, ListValue list) {
    var ids = new HashSet<String>();
    for (int i = 0; i < listCompaction.end(); i++) {
      addId(list.get(i), ids);
    }
    return new CompactionRange(listCompaction.channel(), ids);
  }

  private static void addId(Value item, Set<String> ids) {
    if (item instanceof ObjectValue message && message.get("id") instanceof Value.Text(var id)) {
      ids.add(id);
    }
  }

  boolean isEditedBy(Change change) {
    return change.remove().contains(channel)
        || change.overwrite().has(channel)
        || change.removeMessages().stream().anyMatch(ids::contains)
        || (change.update().get(channel) instanceof ListValue block && upsertsInto(block));
  }

  private boolean upsertsInto(ListValue block) {
    for (var item : block) {
      if (item instanceof ObjectValue message
          && message.get("id") instanceof Value.Text(var id)
          && ids.contains(id)) {
        return true;
      }
    }
    return false;
  }
}
