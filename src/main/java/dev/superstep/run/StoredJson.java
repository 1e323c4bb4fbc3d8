package dev.superstep.run;

import dev.superstep.json.Json;
import dev.superstep.json.JsonLimits;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.nio.charset.StandardCharsets;

/// Reads JSON that was checked when it came in.
final class StoredJson {
  private static final JsonLimits LIMITS = new JsonLimits(10_000, Integer.MAX_VALUE, 0, 1);

  private StoredJson() {}

  static Value value(byte[] bytes) {
    return Json.read(bytes, LIMITS);
  }

  static ObjectValue object(String text) {
    return object(text.getBytes(StandardCharsets.UTF_8));
  }

  static ObjectValue object(byte[] bytes) {
    return value(bytes) instanceof ObjectValue object ? object : ObjectValue.empty();
  }
}
