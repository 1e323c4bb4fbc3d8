package dev.superstep.json;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.CarrierYield;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/// Reads one value from a Jackson parser, strictly.
final class ValueReader {
  /// Less than a millisecond.
  private static final int YIELD_EVERY = 4_096;

  private final JsonParser parser;
  private final JsonProblems jsonProblems;
  private int values;

  ValueReader(JsonParser parser, JsonProblems jsonProblems) {
    this.parser = parser;
    this.jsonProblems = jsonProblems;
  }

  /// Reads the value at whose first token the parser stands, up to its last token.
  Value read() {
    return read(parser.currentToken(), 0);
  }

  private Value read(JsonToken token, int depth) {
    values++;
    if (values % YIELD_EVERY == 0) {
      CarrierYield.now();
    }
    return switch (token) {
      case START_OBJECT -> readObject(depth + 1);
      case START_ARRAY -> readList(depth + 1);
      case VALUE_STRING -> Value.of(checked(parser.getString()));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number();
      case VALUE_TRUE -> Value.TRUE;
      case VALUE_FALSE -> Value.FALSE;
      case VALUE_NULL -> Value.NULL;
      case VALUE_EMBEDDED_OBJECT, PROPERTY_NAME, END_OBJECT, END_ARRAY, NOT_AVAILABLE ->
          throw jsonProblems.fatal(problem(JsonCodes.MALFORMED_JSON, "a value is missing here"));
    };
  }

  private ObjectValue readObject(int depth) {
    checkDepth(depth);
    var members = new HashMap<String, Value>();
    for (var key = parser.nextName(); key != null; key = parser.nextName()) {
      if (members.containsKey(checked(key))) {
        jsonProblems.add(
            problem(JsonCodes.DUPLICATE_KEY, "the key '%s' stands here twice".formatted(key)));
      }
      members.put(key, read(next(), depth));
    }
    return ObjectValue.of(members);
  }

  private ListValue readList(int depth) {
    checkDepth(depth);
    var items = new ArrayList<Value>();
    for (var token = next(); token != JsonToken.END_ARRAY; token = next()) {
      items.add(read(token, depth));
    }
    return ListValue.of(items);
  }

  private JsonToken next() {
    var token = parser.nextToken();
    if (token == null) {
      throw jsonProblems.fatal(problem(JsonCodes.MALFORMED_JSON, "the text ends too early"));
    }
    return token;
  }

  private Value number() {
    var literal = parser.getString();
    return Scalars.number(literal)
        .orElseGet(() -> {
          jsonProblems.add(problem(JsonCodes.NUMBER, Scalars.numberMessage(literal)));
          return Value.NULL;
        });
  }

  private String checked(String text) {
    Scalars.flaw(text)
        .ifPresent(code -> jsonProblems.add(problem(code, Scalars.flawMessage(code))));
    return text;
  }

  private void checkDepth(int depth) {
    int max = jsonProblems.limits().depthMax();
    if (depth > max) {
      throw jsonProblems.fatal(
          problem(JsonCodes.TOO_DEEP, "nested deeper than %d lists and objects".formatted(max)));
    }
  }

  private Violation problem(String code, String message) {
    var location = parser.currentTokenLocation();
    return new Violation(
        parser.streamReadContext().pathAsPointer().toString(),
        code,
        message,
        Math.max(0, location.getLineNr()),
        Math.max(0, location.getColumnNr()));
  }
}
