package dev.superstep.checkpoint;

import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Builds an object of the stored form. Members with their default value are left out, because each
/// is paid for in every superstep.
public final class ObjectWriter {
  private final Map<String, Value> members = new HashMap<>();

  public ObjectWriter put(String key, Value value) {
    members.put(key, value);
    return this;
  }

  ObjectWriter put(String key, String text) {
    return put(key, Value.of(text));
  }

  public ObjectWriter put(String key, long number) {
    return put(key, Value.of(number));
  }

  ObjectWriter put(String key, Instant time) {
    return put(key, StoredObject.micros(time));
  }

  ObjectWriter put(String key, Optional<? extends Value> value) {
    value.ifPresent(it -> put(key, it));
    return this;
  }

  ObjectWriter unlessNull(String key, @Nullable String text) {
    return text == null ? this : put(key, text);
  }

  ObjectWriter unless(long usual, String key, long number) {
    return number == usual ? this : put(key, number);
  }

  ObjectWriter unlessEmpty(String key, ObjectValue object) {
    return object.isEmpty() ? this : put(key, object);
  }

  <T> ObjectWriter unlessEmpty(String key, Collection<T> items, Function<T, Value> form) {
    return items.isEmpty() ? this : put(key, ListValue.of(items.stream().map(form).toList()));
  }

  public ObjectValue value() {
    return ObjectValue.of(members);
  }
}
