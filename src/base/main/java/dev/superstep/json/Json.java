package dev.superstep.json;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.Value;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;

/// Reads JSON text as a [Value], strictly: RFC 8259 without extensions, no key twice in an object,
/// numbers that int64 or binary64 keep (E46), strings without NUL and lone surrogates, bounded
/// depth and size. Writing is [Canonical].
public final class Json {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private static final char BYTE_ORDER_MARK = '\ufeff';

  private Json() {}

  /// @throws JsonException with every problem of the text up to the first that hides the rest
  public static Value read(String text) {
    return read(text, JsonLimits.DEFAULT);
  }

  public static Value read(String text, JsonLimits limits) {
    var jsonProblems = new JsonProblems(limits);
    if (text.length() > limits.charsMax()) {
      throw jsonProblems.fatal(tooLarge(limits));
    }
    int start = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? 1 : 0; // RFC 8259, 8.1
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), text.substring(start))) {
      return read(parser, jsonProblems);
    }
  }

  /// Reads UTF-8.
  public static Value read(byte[] utf8) {
    return read(utf8, JsonLimits.DEFAULT);
  }

  public static Value read(byte[] utf8, JsonLimits limits) {
    return read(decode(utf8, JsonCodes.MALFORMED_JSON), limits);
  }

  /// Whether a string may be part of a value: no NUL, no lone surrogates (durability rule 11).
  public static boolean isStorable(String text) {
    return Scalars.flaw(text).isEmpty();
  }

  /// The canonical text.
  public static String write(Value value) {
    return Canonical.text(value);
  }

  private static Value read(JsonParser parser, JsonProblems jsonProblems) {
    try {
      if (parser.nextToken() == null) {
        throw jsonProblems.fatal(malformed(parser, "the text is empty"));
      }
      var value = new ValueReader(parser, jsonProblems).read();
      if (parser.nextToken() != null) {
        throw jsonProblems.fatal(
            malformed(parser, "the text goes on behind the value; remove what follows"));
      }
      jsonProblems.throwIfAny();
      return value;
    } catch (JsonException e) {
      throw e;
    } catch (JacksonException e) {
      throw jsonProblems.fatal(translate(parser, e));
    }
  }

  private static Violation malformed(JsonParser parser, String message) {
    var at = parser.currentTokenLocation();
    return new Violation(
        "",
        JsonCodes.MALFORMED_JSON,
        message,
        Math.max(1, at.getLineNr()),
        Math.max(1, at.getColumnNr()));
  }

  private static Violation translate(JsonParser parser, JacksonException e) {
    var at = e.getLocation() == null ? parser.currentLocation() : e.getLocation();
    boolean number = e instanceof StreamConstraintsException; // no other constraint is left
    return new Violation(
        parser.streamReadContext().pathAsPointer().toString(),
        number ? JsonCodes.NUMBER : JsonCodes.MALFORMED_JSON,
        number
            ? "a number as long as this is none that can be kept"
            : JsonMessages.sentence(String.valueOf(e.getOriginalMessage())),
        Math.max(0, at.getLineNr()),
        Math.max(0, at.getColumnNr()));
  }

  public static Violation tooLarge(JsonLimits limits) {
    return new Violation(
        "",
        JsonCodes.TOO_LARGE,
        "the text is longer than %d characters".formatted(limits.charsMax()),
        0,
        0);
  }

  public static String decode(byte[] utf8, String code) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(utf8)).toString();
    } catch (CharacterCodingException e) {
      throw new JsonException(
          List.of(new Violation("", code, "the bytes are not valid UTF-8", 0, 0)));
    }
  }
}
