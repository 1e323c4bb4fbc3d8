package dev.superstep.model;

import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.util.JsonRecyclerPools;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads what providers answer. It is less strict than [dev.superstep.json.Json]: a piece of a
/// stream may hold half a character, and what a model writes may hold what no value can.
final class AnswerJson {
  /// The buffers of a virtual thread would be used once, so threads share them.
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder().recyclerPool(JsonRecyclerPools.sharedBoundedPool()).build())
          .build();

  private AnswerJson() {}

  /// @throws tools.jackson.core.JacksonException if it is no JSON
  public static JsonNode read(byte[] utf8) {
    return JSON.readTree(utf8);
  }

  /// @throws tools.jackson.core.JacksonException if it is no JSON
  public static JsonNode read(String text) {
    return JSON.readTree(text);
  }

  /// "" if there is none.
  public static String text(JsonNode object, String key) {
    var found = object.path(key);
    return found.isString() ? found.stringValue() : "";
  }

  /// 0 if it is none.
  public static long number(JsonNode number) {
    return number.isIntegralNumber() && number.canConvertToLong() ? number.longValue() : 0;
  }
}
