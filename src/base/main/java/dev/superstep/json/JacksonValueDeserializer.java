package dev.superstep.json;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/// Reads a [Value] in a request body with Jackson.
final class JacksonValueDeserializer<T extends Value> extends ValueDeserializer<T> {
  private final Class<T> type;

  JacksonValueDeserializer(Class<T> type) {
    this.type = type;
  }

  @Override
  public T deserialize(JsonParser parser, DeserializationContext context) {
    var pointer = parser.streamReadContext().pathAsPointer().toString();
    var at = parser.currentTokenLocation();
    var jsonProblems = new JsonProblems(JsonLimits.DEFAULT);
    var value = new ValueReader(parser, jsonProblems).read();
    jsonProblems.throwIfAny();
    if (!type.isInstance(value)) {
      var message = "expected %s, not %s".formatted(expected(), value.typeName());
      throw new JsonException(
          List.of(
              new Violation(
                  pointer, JsonCodes.WRONG_TYPE, message, at.getLineNr(), at.getColumnNr())));
    }
    return type.cast(value);
  }

  private String expected() {
    return type == dev.superstep.state.value.ObjectValue.class ? "object" : "array";
  }

  @Override
  public @Nullable Object getNullValue(DeserializationContext context) {
    return type == Value.class ? Value.NULL : null;
  }

  @Override
  public @Nullable Object getAbsentValue(DeserializationContext context) {
    return null;
  }
}
