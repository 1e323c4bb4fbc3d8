package dev.superstep.run.store;

import dev.superstep.checkpoint.StoredObject;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Reads the objects of a run that were checked before they were stored.
public final class StoredJson {
  private StoredJson() {}

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

  /// @param bytes null: nothing is stored
  public static ObjectValue objectOrEmpty(byte @Nullable [] bytes) {
    return bytes == null ? ObjectValue.empty() : object(bytes);
  }

  public static ObjectValue object(byte[] bytes) {
    return StoredObject.value(bytes) instanceof ObjectValue object ? object : ObjectValue.empty();
  }
}
