package dev.superstep.http;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.Nulls;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.jackson.autoconfigure.JsonMapperBuilderCustomizer;
import org.springframework.stereotype.Component;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.type.LogicalType;

/// Makes Jackson read requests to the letter: no unknown fields, no text for a number, no number
/// for a time, no fraction cut off. Answers are snake_case and leave out what is absent.
@Component
class StrictJson implements JsonMapperBuilderCustomizer {
  private static final CoercionAction FAIL = CoercionAction.Fail;

  @Override
  public void customize(JsonMapper.Builder json) {
    json.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
        .changeDefaultPropertyInclusion(it -> it.withValueInclusion(JsonInclude.Include.NON_ABSENT))
        .changeDefaultNullHandling(it -> it.withContentNulls(Nulls.FAIL))
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(
            DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES,
            DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
            DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .disable(MapperFeature.ACCEPT_CASE_INSENSITIVE_ENUMS);
    for (var type : LogicalType.values()) {
      json.withCoercionConfig(type, it -> it.setCoercion(CoercionInputShape.EmptyString, FAIL));
    }
    json.withCoercionConfig(
        LogicalType.Textual,
        it ->
            it.setCoercion(CoercionInputShape.Integer, FAIL)
                .setCoercion(CoercionInputShape.Float, FAIL)
                .setCoercion(CoercionInputShape.Boolean, FAIL));
    json.addModule(
        new SimpleModule("superstep-times").addDeserializer(Instant.class, new TimeReader()));
  }

  /// Reads times from RFC 3339 text only: Jackson's own reader also takes numbers.
  private static final class TimeReader extends StdScalarDeserializer<Instant> {

    TimeReader() {
      super(Instant.class);
    }

    @Override
    public @Nullable Instant deserialize(JsonParser parser, DeserializationContext context) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        return (Instant)
            context.handleUnexpectedToken(context.constructType(Instant.class), parser);
      }
      var text = parser.getString();
      try {
        return Instant.parse(text);
      } catch (DateTimeParseException e) {
        return (Instant) context.handleWeirdStringValue(Instant.class, text, "not RFC 3339");
      }
    }
  }
}
