package dev.superstep.definition;

import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Typed access to an object in long form, whose members have been checked.
record Fields(ObjectValue object) {

  boolean has(String key) {
    return object.has(key);
  }

  Optional<Value> value(String key) {
    return Optional.ofNullable(object.get(key));
  }

  Optional<String> text(String key) {
    return object.get(key) instanceof Value.Text(var text) ? Optional.of(text) : Optional.empty();
  }

  List<String> texts(String key) {
    return list(key).stream()
        .filter(Value.Text.class::isInstance)
        .map(it -> ((Value.Text) it).value())
        .toList();
  }

  boolean flag(String key) {
    return Value.TRUE.equals(object.get(key));
  }

  Optional<Long> integer(String key) {
    return object.get(key) instanceof Value.Int(var number)
        ? Optional.of(number)
        : Optional.empty();
  }

  Optional<Integer> count(String key) {
    return integer(key).map(Math::toIntExact);
  }

  double number(String key, double absent) {
    return switch (object.get(key)) {
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      case null, default -> absent;
    };
  }

  Optional<Duration> duration(String key) {
    return text(key).flatMap(Durations::parse);
  }

  ListValue list(String key) {
    return object.get(key) instanceof ListValue list ? list : ListValue.empty();
  }

  /// The object at `key`; empty if there is none.
  Optional<Fields> fields(String key) {
    return object.get(key) instanceof ObjectValue found
        ? Optional.of(new Fields(found))
        : Optional.empty();
  }

  ObjectValue objectOr(String key, ObjectValue absent) {
    return object.get(key) instanceof ObjectValue found ? found : absent;
  }
}
