package dev.superstep.definition.form;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Typed access to an object in long form, whose members have been checked.
public record Fields(ObjectValue object) {

  public boolean has(String key) {
    return object.has(key);
  }

  public Optional<Value> value(String key) {
    return Optional.ofNullable(object.get(key));
  }

  public Optional<String> text(String key) {
    return object.get(key) instanceof Value.Text(var text) ? Optional.of(text) : Optional.empty();
  }

  public List<String> texts(String key) {
    return list(key).stream()
        .filter(Value.Text.class::isInstance)
        .map(it -> ((Value.Text) it).value())
        .toList();
  }

  public boolean flag(String key) {
    return Value.TRUE.equals(object.get(key));
  }

  public Optional<Long> integer(String key) {
    return object.get(key) instanceof Value.Int(var number)
        ? Optional.of(number)
        : Optional.empty();
  }

  public Optional<Integer> count(String key) {
    return integer(key).map(Math::toIntExact);
  }

  public double number(String key, double absent) {
    return switch (object.get(key)) {
      case Value.Int(var number) -> number;
      case Value.Real(var number) -> number;
      case null, default -> absent;
    };
  }

  public Optional<Duration> duration(String key) {
    return text(key).flatMap(Durations::parse);
  }

  public ListValue list(String key) {
    return object.get(key) instanceof ListValue list ? list : ListValue.empty();
  }

  /// The object at `key`; empty if there is none.
  public Optional<Fields> fields(String key) {
    return object.get(key) instanceof ObjectValue found
        ? Optional.of(new Fields(found))
        : Optional.empty();
  }

  public ObjectValue objectOr(String key, ObjectValue absent) {
    return object.get(key) instanceof ObjectValue found ? found : absent;
  }
}
