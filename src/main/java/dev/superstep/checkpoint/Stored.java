package dev.superstep.checkpoint;

import dev.superstep.json.Json;
import dev.superstep.json.JsonException;
import dev.superstep.json.JsonLimits;
import dev.superstep.state.Canonical;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/// Bytes of the database ↔ values. Stored values were checked when they came in; here they only
/// have to be read back, whatever their size.
final class Stored {
  private static final JsonLimits LIMITS = new JsonLimits(10_000, Integer.MAX_VALUE, 0, 1);

  private Stored() {}

  static byte[] bytes(Value value) {
    return Canonical.bytes(value);
  }

  static Value value(byte[] bytes) {
    try {
      return Json.read(bytes, LIMITS);
    } catch (JsonException e) {
      throw new CorruptCheckpointException("stored bytes are no JSON", e);
    }
  }

  static ObjectReader object(byte[] bytes) {
    return reader(value(bytes));
  }

  static ObjectReader reader(Value value) {
    if (value instanceof ObjectValue object) {
      return new ObjectReader(object);
    }
    throw new CorruptCheckpointException("expected an object, found " + value.typeName());
  }

  /// Microseconds since the epoch: what PostgreSQL keeps of a time.
  static long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  static Instant time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
