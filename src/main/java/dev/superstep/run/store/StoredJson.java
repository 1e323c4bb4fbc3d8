package dev.superstep.run.store;

import dev.superstep.json.Json;
import dev.superstep.json.JsonLimits;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// Reads JSON that was checked before it was stored.
public final class StoredJson {
  private static final JsonLimits LIMITS = new JsonLimits(10_000, Integer.MAX_VALUE, 0, 1);

  private StoredJson() {}

  static Value value(byte[] bytes) {
    return Json.read(bytes, LIMITS);
  }

  public static ObjectValue object(String text) {
    return object(text.getBytes(StandardCharsets.UTF_8));
  }

  /// The members that are strings.
  public static Map<String, String> texts(ObjectValue object) {
    var texts = new HashMap<String, String>();
    object.forEach((key, value) -> {
      if (value instanceof Value.Text(var text)) {
        texts.put(key, text);
      }
    });
    return texts;
  }

  public static ObjectValue object(byte[] bytes) {
    return value(bytes) instanceof ObjectValue object ? object : ObjectValue.empty();
  }
}
