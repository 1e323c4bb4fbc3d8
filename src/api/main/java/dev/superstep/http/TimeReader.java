package dev.superstep.http;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;

/// Reads times from RFC 3339 text only: Jackson's own reader also takes numbers.
final class TimeReader extends StdScalarDeserializer<Instant> {

  TimeReader() {
    super(Instant.class);
  }

  @Override
  public @Nullable Instant deserialize(JsonParser parser, DeserializationContext context) {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      return (Instant) context.handleUnexpectedToken(context.constructType(Instant.class), parser);
    }
    var text = parser.getString();
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return (Instant) context.handleWeirdStringValue(Instant.class, text, "not RFC 3339");
    }
  }
}
