package dev.superstep.node;

import dev.superstep.engine.task.CustomEvent;
import dev.superstep.json.Pointer;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads the `events` of a node result: `[{name, data}]`.
public final class ResultEvents {
  /// Canonical bytes of the data of one event.
  public static final long DATA_BYTES_MAX = 64 << 10;

  private static final Set<String> KEYS = Set.of("name", "data");

  private ResultEvents() {}

  static List<CustomEvent> read(ResultReader reader, ObjectValue result) {
    return read(reader, "/events", reader.list("", result, "events"));
  }

  private static List<CustomEvent> read(ResultReader reader, String at, ListValue list) {
    if (list.size() > CustomEvent.COUNT_MAX) {
      reader.refuse(at, "has %d events; at most %d".formatted(list.size(), CustomEvent.COUNT_MAX));
      return List.of();
    }
    var events = new ArrayList<CustomEvent>();
    for (int i = 0; i < list.size(); i++) {
      read(reader, at + "/" + i, list.get(i)).ifPresent(events::add);
    }
    return events;
  }

  private static Optional<CustomEvent> read(ResultReader reader, String at, Value value) {
    if (!(value instanceof ObjectValue object)) {
      reader.refuse(at, "must be an object like {name, data}; got " + value.typeName());
      return Optional.empty();
    }
    reader.refuseOthers(at, object, KEYS);
    var name = object.get("name") instanceof Value.Text(var text) ? text : "";
    var event = new CustomEvent(name, object.getOr("data", Value.NULL));
    var refusal = refusal(event);
    refusal.ifPresent(it -> reader.refuse(Pointer.child(at, it.part()), it.message()));
    return refusal.isEmpty() ? Optional.of(event) : Optional.empty();
  }

  /// @param part `name` or `data`
  record Refusal(String part, String message) {}

  static Optional<Refusal> refusal(CustomEvent event) {
    if (Canonical.size(event.data()) > DATA_BYTES_MAX) {
      return Optional.of(new Refusal("data", "is larger than %d bytes".formatted(DATA_BYTES_MAX)));
    }
    return CustomEvent.refusal(event.name()).map(it -> new Refusal("name", it));
  }

  /// An event that was sent by itself, while its node still runs.
  ///
  /// @return empty if it is none
  public static Optional<CustomEvent> one(Value value) {
    var reader = new ResultReader();
    var event = read(reader, "", value);
    return reader.isClean() ? event : Optional.empty();
  }
}
