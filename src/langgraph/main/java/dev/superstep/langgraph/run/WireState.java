package dev.superstep.langgraph.run;

import dev.superstep.langgraph.MessageChannels;
import dev.superstep.langgraph.WireMessages;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// Writes states and changes of one graph as the clients of this API read them.
final class WireState {
  private final MessageChannels channels;

  WireState(MessageChannels channels) {
    this.channels = channels;
  }

  ObjectValue state(ObjectValue state) {
    return channels.toWire(state);
  }

  /// What a task has changed: channel → value.
  Value change(Change change) {
    return channels.toWire(change);
  }

  ObjectValue message(ObjectValue stored) {
    return WireMessages.write(stored);
  }

  /// The messages that a change adds, as they are stored; those of mirrors once.
  List<ObjectValue> messages(Change change) {
    var ids = new HashSet<Value>();
    var found = new ArrayList<ObjectValue>();
    Stream.of(change.overwrite(), change.update())
        .flatMap(it -> it.asMap().entrySet().stream())
        .filter(it -> channels.has(it.getKey()))
        .map(Map.Entry::getValue)
        .forEach(it -> {
          if (it instanceof ListValue list) {
            list.forEach(item -> {
              if (item instanceof ObjectValue message
                  && ids.add(message.getOr("id", Value.of(found.size())))) {
                found.add(message);
              }
            });
          }
        });
    return found;
  }
}
