package dev.superstep.definition.form;

import dev.superstep.state.value.Accessors;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The table of an object that is read as a T. One function declares each key where it takes the
/// value: it runs once without an object, for the table, and then with every object that was read.
public final class RecordSchema<T> extends ObjectSchema {
  private final Function<Fields, T> reading;

  private RecordSchema(
      String schemaName, String what, List<SchemaKey> keys, Function<Fields, T> reading) {
    super(schemaName, what, keys);
    this.reading = reading;
  }

  /// @param reading declares every key whatever the values are
  static <T> RecordSchema<T> of(String schemaName, String what, Function<Fields, T> reading) {
    var none = new Fields(ObjectValue.empty());
    var _ = reading.apply(none);
    return new RecordSchema<>(schemaName, what, List.copyOf(none.keys.values()), reading);
  }

  /// @param object that this table has read
  public T of(ObjectValue object) {
    return reading.apply(new Fields(object));
  }

  /// The values of an object by the keys that are declared with them; where one is absent, the
  /// standard of its key counts, which numbers and durations need.
  static final class Fields implements Accessors {
    private final ObjectValue object;
    private final Map<String, SchemaKey> keys = new LinkedHashMap<>();

    private Fields(ObjectValue object) {
      this.object = object;
    }

    /// Declares a key.
    ///
    /// @return its name
    String key(SchemaKey key) {
      keys.put(key.name(), key);
      return key.name();
    }

    @Override
    public @Nullable Value get(String name) {
      var value = object.get(name);
      var key = keys.get(name);
      return value == null && key != null ? key.standard().orElse(null) : value;
    }

    String text(SchemaKey key) {
      return textOrEmpty(key(key));
    }

    int count(SchemaKey key) {
      return Math.toIntExact(whole(key(key)));
    }

    double decimal(SchemaKey key) {
      return decimal(key(key));
    }

    Duration duration(SchemaKey key) {
      return Durations.find(this, key(key)).orElseThrow();
    }

    List<String> texts(SchemaKey key) {
      return texts(key(key));
    }

    ObjectValue object(SchemaKey key) {
      return objectOrEmpty(key(key));
    }
  }
}
