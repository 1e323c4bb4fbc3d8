package dev.superstep.checkpoint;

import dev.superstep.compute.StoredValues;
import dev.superstep.json.JsonException;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;

/// Converts bytes of the database to values and back.
public final class StoredObject {
  private StoredObject() {}

  public static byte[] bytes(Value value) {
    return Canonical.bytes(value);
  }

  public static Value value(byte[] bytes) {
    try {
      return StoredValues.read(bytes);
    } catch (JsonException e) {
      throw new CorruptCheckpointException("stored bytes are no JSON", e);
    }
  }

  public static ObjectReader object(byte[] bytes) {
    return reader(value(bytes));
  }

  /// @param unpacked begins anew each time
  static ObjectReader packed(Supplier<InputStream> unpacked) {
    try {
      return reader(StoredValues.read(unpacked));
    } catch (JsonException e) {
      throw new CorruptCheckpointException("stored bytes are no JSON", e);
    } catch (UncheckedIOException e) {
      throw new CorruptCheckpointException("a snapshot cannot be unpacked", e);
    }
  }

  static ObjectReader reader(Value value) {
    if (value instanceof ObjectValue object) {
      return new ObjectReader(object);
    }
    throw new CorruptCheckpointException("expected an object, found " + value.typeName());
  }

  /// Microseconds since the epoch, PostgreSQL's resolution of a time.
  static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  public static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
