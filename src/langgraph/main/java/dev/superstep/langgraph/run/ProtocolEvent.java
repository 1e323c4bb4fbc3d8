package dev.superstep.langgraph.run;

import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// An event as clients of threads read it.
///
/// @param id the same whenever the event is written; clients drop what they have seen
/// @param channel to which clients subscribe; `custom:name` for what has a name
/// @param namespace of the run inside that it comes from, and of the task of a message
record ProtocolEvent(
    String id,
    String channel,
    CheckpointNamespace namespace,
    Optional<String> node,
    ObjectValue data) {
  static final String CUSTOM = "custom";
  static final String INPUT = "input";

  String method() {
    return channel.equals(INPUT) ? "input.requested" : isCustom() ? CUSTOM : channel;
  }

  /// Whether it is what a node reports.
  boolean isCustom() {
    return channel.equals(CUSTOM) || channel.startsWith(CUSTOM + ":");
  }

  ObjectValue json(Optional<Long> seq, long millis) {
    var params =
        ObjectValue.builder()
            .put("namespace", namespace.json())
            .put("timestamp", millis)
            .put("data", data);
    node.ifPresent(it -> params.put("node", it));
    var event =
        ObjectValue.builder()
            .put("type", "event")
            .put("event_id", id)
            .put("method", method())
            .put("params", params.build());
    seq.ifPresent(it -> event.put("seq", it));
    return event.build();
  }
}
