package dev.superstep.node;

import dev.superstep.engine.run.CustomEvent;
import dev.superstep.graph.UncheckedValue;
import dev.superstep.graph.Violations;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads the `events` of a node result: `[{name, data}]`.
public final class ResultEvents {
  /// Canonical bytes of the data of one event.
  public static final long DATA_BYTES_MAX = 64 << 10;

  private static final Set<String> KEYS = Set.of("name", "data");

  private ResultEvents() {}

  static List<CustomEvent> read(UncheckedValue list) {
    var items = list.items();
    if (items.size() > CustomEvent.COUNT_MAX) {
      ResultValues.refuse(
          list.at(), "has %d events; at most %d".formatted(items.size(), CustomEvent.COUNT_MAX));
      return List.of();
    }
    return items.stream().flatMap(it -> readOne(it).stream()).toList();
  }

  private static Optional<CustomEvent> readOne(UncheckedValue value) {
    if (!(value.value() instanceof ObjectValue object)) {
      ResultValues.refuse(
          value.at(), "must be an object like {name, data}; got " + value.typeName());
      return Optional.empty();
    }
    ResultValues.refuseOthers(value, KEYS);
    var name = object.textOrEmpty("name");
    var event = new CustomEvent(name, object.getOr("data", Value.NULL));
    var refusal = refusal(event);
    refusal.ifPresent(it -> ResultValues.refuse(value.at().key(it.part()), it.message()));
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
    var violations = new Violations();
    var event = readOne(ResultValues.of(value, violations.root()));
    return violations.hasErrors() ? Optional.empty() : event;
  }
}
