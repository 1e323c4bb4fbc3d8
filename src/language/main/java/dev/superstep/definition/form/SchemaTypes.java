package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Schemas of the single values that tables are made of.
final class SchemaTypes {
  private SchemaTypes() {}

  /// Anything, kept as sent.
  static Schema any() {
    return Schema.of(ObjectValue.empty(), (value, _) -> Optional.of(value));
  }

  static Schema text() {
    return ofType(SchemaText.type("string"), Value.Text.class, "a string");
  }

  static Schema bool() {
    return ofType(SchemaText.type("boolean"), Value.Bool.class, "true or false");
  }

  /// An object, kept as sent.
  static Schema object() {
    return ofType(SchemaText.openObject(), ObjectValue.class, "an object");
  }

  private static Schema ofType(ObjectValue schema, Class<? extends Value> type, String wanted) {
    return Schema.of(
        schema,
        (value, at) -> {
          if (type.isInstance(value)) {
            return Optional.of(value);
          }
          Schema.wrongType(at, wanted, value);
          return Optional.empty();
        },
        Codes.WRONG_TYPE);
  }

  static Schema count(int min) {
    return integer(SchemaText.type("integer", "int32"), min, Integer.MAX_VALUE);
  }

  static Schema longCount(long min) {
    return integer(SchemaText.type("integer", "int64"), min, Long.MAX_VALUE);
  }

  private static Schema integer(ObjectValue schema, long min, long max) {
    return Schema.of(
        schema.plus("minimum", min),
        (value, at) -> {
          if (!(value instanceof Value.Int(var number))) {
            Schema.wrongType(at, "an integer", value);
            return Optional.empty();
          }
          return inRange(value, (double) number, (double) min, (double) max, at);
        },
        Codes.WRONG_TYPE,
        Codes.OUT_OF_RANGE);
  }

  static Schema number(double min, double max) {
    var type = SchemaText.type("number", "double");
    var schema = number(type, min, max);
    return schema.readBy(
        schema::read, type.plus("minimum", Value.of(min)).plus("maximum", Value.of(max)));
  }

  private static Schema number(ObjectValue type, double min, double max) {
    return Schema.of(
        type,
        (value, at) ->
            switch (value) {
              case Value.Int(var number) -> inRange(value, (double) number, min, max, at);
              case Value.Real(var number) -> inRange(value, number, min, max, at);
              case Value.Null _, Value.Bool _, Value.Text _, ListValue _, ObjectValue _ -> {
                Schema.wrongType(at, "a number", value);
                yield Optional.empty();
              }
            },
        Codes.WRONG_TYPE,
        Codes.OUT_OF_RANGE);
  }

  private static Optional<Value> inRange(
      Value value, double number, double min, double max, Location at) {
    if (number >= min && number <= max) {
      return Optional.of(value);
    }
    at.error(
        Codes.OUT_OF_RANGE,
        "must be %s, not %s"
            .formatted(
                number < min ? "at least " + plain(min) : "at most " + plain(max), plain(number)));
    return Optional.empty();
  }

  private static String plain(double bound) {
    return bound == Math.rint(bound) ? String.valueOf((long) bound) : String.valueOf(bound);
  }

  static Schema duration() {
    return checkedText(
        SchemaText.type("string").plus("example", "30s"),
        "a duration such as 30s",
        (text, at) -> {
          if (Durations.parse(text).isPresent()) {
            return true;
          }
          at.error(
              Codes.INVALID_DURATION,
              "'%s' is no duration; write for example 500ms, 30s, 5m, 1h, 2d or PT5M (at most %d days)"
                  .formatted(text, Durations.MAX.toDays()));
          return false;
        },
        Codes.INVALID_DURATION);
  }

  static Schema size() {
    return checkedText(
        SchemaText.type("string").plus("example", "1MB"),
        (text, at) -> {
          if (ByteSizes.parse(text).isPresent()) {
            return true;
          }
          at.error(
              Codes.INVALID_VALUE,
              "'%s' is no size; write for example 512B, 64KB or 1MB".formatted(text));
          return false;
        },
        Codes.INVALID_VALUE);
  }

  static Schema oneOf(List<String> values) {
    return checkedText(
        SchemaText.oneOf(values),
        (text, at) -> {
          if (values.contains(text)) {
            return true;
          }
          at.error(
              Codes.INVALID_VALUE,
              "'%s' is unknown%s; known are %s"
                  .formatted(text, Suggestion.among(values, text), String.join(", ", values)));
          return false;
        },
        Codes.INVALID_VALUE);
  }

  /// A text that `check` accepts; `check` reports why not.
  ///
  /// @param codes what it reports
  static Schema checkedText(TextCheck check, String... codes) {
    return checkedText(SchemaText.type("string"), check, codes);
  }

  private static Schema checkedText(ObjectValue schema, TextCheck check, String... codes) {
    return checkedText(schema, "a string", check, codes);
  }

  /// @param wanted what must stand there, for messages
  private static Schema checkedText(
      ObjectValue schema, String wanted, TextCheck check, String... codes) {
    return Schema.of(
        schema,
        (value, at) -> {
          if (!(value instanceof Value.Text(var text))) {
            Schema.wrongType(at, wanted, value);
            return Optional.empty();
          }
          return check.accepts(text, at) ? Optional.of(value) : Optional.empty();
        },
        Stream.concat(Stream.of(Codes.WRONG_TYPE), Stream.of(codes)).toArray(String[]::new));
  }

  /// Accepts a text, or reports at the location what is wrong with it.
  @FunctionalInterface
  interface TextCheck {
    boolean accepts(String text, Location at);
  }
}
