package dev.superstep.checkpoint.codec;

import dev.superstep.checkpoint.CorruptCheckpointException;
import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.JsonLimits;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Converts bytes of the database to values and back. Stored values were checked on input; here
/// they are read whatever their size.
public final class StoredObject {
  private static final JsonLimits LIMITS = new JsonLimits(10_000, Integer.MAX_VALUE, 0, 1);

  private StoredObject() {}

  public static byte[] bytes(Value value) {
    return Canonical.bytes(value);
  }

  public static Value value(byte[] bytes) {
    try {
      return Json.read(bytes, LIMITS);
    } catch (JsonException e) {
      throw new CorruptCheckpointException("stored bytes are no JSON", e);
    }
  }

  public static ObjectReader object(byte[] bytes) {
    return reader(value(bytes));
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
