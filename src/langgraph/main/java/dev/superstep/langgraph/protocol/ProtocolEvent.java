package dev.superstep.langgraph.protocol;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// An event as clients read it.
///
/// @param id the same whenever the event is written; clients drop what they have seen
/// @param namespace of the run inside that it comes from, and of the task of a message
record ProtocolEvent(
    String id, String method, List<String> namespace, Optional<String> node, ObjectValue data) {
  private static final String CUSTOM = "custom";

  ProtocolEvent {
    namespace = List.copyOf(namespace);
  }

  String channel() {
    return switch (method) {
      case "input.requested" -> "input";
      case CUSTOM ->
          data.get("name") instanceof Value.Text(var name) ? CUSTOM + ":" + name : CUSTOM;
      default -> method;
    };
  }

  ObjectValue json(Optional<Long> seq, long millis) {
    var params =
        ObjectValue.builder()
            .put("namespace", ListValue.texts(namespace.toArray(String[]::new)))
            .put("timestamp", Value.of(millis))
            .put("data", data);
    node.ifPresent(it -> params.put("node", Value.of(it)));
    var event =
        ObjectValue.builder()
            .put("type", Value.of("event"))
            .put("event_id", Value.of(id))
            .put("method", Value.of(method))
            .put("params", params.build());
    seq.ifPresent(it -> event.put("seq", Value.of(it)));
    return event.build();
  }
}
