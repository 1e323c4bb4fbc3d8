package dev.superstep.langgraph.message;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// Messages of a request.
///
/// @param replacesAll they replace everything that the channel holds
/// @param removed ids of messages that go
/// @param messages those that are added, or replace others of their ids
record MessageBlock(boolean replacesAll, List<String> removed, List<ObjectValue> messages) {
  MessageBlock {
    removed = List.copyOf(removed);
    messages = List.copyOf(messages);
  }

  ListValue list() {
    return ListValue.of(messages);
  }
}
