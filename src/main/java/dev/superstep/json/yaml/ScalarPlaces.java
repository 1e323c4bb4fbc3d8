package dev.superstep.json.yaml;

import dev.superstep.violation.Pointer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/// Finds the positions of the strings in a well-formed text, in a second pass that is needed only
/// to report a problem.
public final class ScalarPlaces {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final String text;
  private final Set<String> wanted;
  private final Map<String, ScalarPlace> found = new HashMap<>();

  private ScalarPlaces(String text, Set<String> wanted) {
    this.text = text;
    this.wanted = wanted;
  }

  /// @param pointers of the strings that are looked for
  public static ScalarPlaces ofJson(String text, Set<String> pointers) {
    var places = new ScalarPlaces(text, pointers);
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken()) {
        places.json(token, parser);
      }
    }
    return places;
  }

  private void json(JsonToken token, JsonParser parser) {
    if (token == JsonToken.VALUE_STRING) {
      var pointer = parser.streamReadContext().pathAsPointer().toString();
      if (wanted.contains(pointer)) {
        int quote = (int) parser.currentTokenLocation().getCharOffset();
        found.put(
            pointer, new ScalarPlace(text, quote, ScalarPlace.Style.DOUBLE, parser.getString()));
      }
    }
  }

  /// @param pointers of the strings that are looked for
  public static ScalarPlaces ofYaml(String text, Set<String> pointers) {
    var places = new ScalarPlaces(text, pointers);
    var settings = LoadSettings.builder().setCodePointLimit(text.length() + 1).build();
    var events = new ParserImpl(settings, new StreamReader(settings, text));
    events.next();
    if (!events.checkEvent(Event.ID.StreamEnd)) {
      events.next();
      places.yaml(events, "");
    }
    return places;
  }

  private void yaml(ParserImpl events, String pointer) {
    var event = events.next();
    switch (event.getEventId()) {
      case Scalar -> scalar((ScalarEvent) event, pointer);
      case SequenceStart -> {
        for (int i = 0; !events.checkEvent(Event.ID.SequenceEnd); i++) {
          yaml(events, Pointer.child(pointer, i));
        }
        events.next();
      }
      case MappingStart -> {
        while (!events.checkEvent(Event.ID.MappingEnd)) {
          var key = events.next() instanceof ScalarEvent scalar ? scalar.getValue() : "";
          yaml(events, Pointer.child(pointer, key));
        }
        events.next();
      }
      default -> {} // an alias: the text stands elsewhere
    }
  }

  private void scalar(ScalarEvent scalar, String pointer) {
    if (!wanted.contains(pointer)) {
      return;
    }
    scalar
        .getStartMark()
        .ifPresent(mark -> {
          int start = behindProperties(text.offsetByCodePoints(0, mark.getIndex()));
          found.put(pointer, new ScalarPlace(text, start, style(scalar), scalar.getValue()));
        });
  }

  /// An anchor stands before the string, perhaps in another line.
  private int behindProperties(int from) {
    int at = from;
    while (at < text.length() && text.charAt(at) == '&') {
      while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
        at++;
      }
      at = behindSpace(at);
    }
    return at;
  }

  private int behindSpace(int from) {
    int at = from;
    while (at < text.length()
        && (Character.isWhitespace(text.charAt(at)) || text.charAt(at) == '#')) {
      int end = text.charAt(at) == '#' ? text.indexOf('\n', at) : at + 1;
      at = end < 0 ? text.length() : end;
    }
    return at;
  }

  private static ScalarPlace.Style style(ScalarEvent scalar) {
    return switch (scalar.getScalarStyle()) {
      case ScalarStyle.DOUBLE_QUOTED, ScalarStyle.JSON_SCALAR_STYLE -> ScalarPlace.Style.DOUBLE;
      case ScalarStyle.SINGLE_QUOTED -> ScalarPlace.Style.SINGLE;
      case ScalarStyle.PLAIN -> ScalarPlace.Style.PLAIN;
      case ScalarStyle.LITERAL -> ScalarPlace.Style.LITERAL;
      case ScalarStyle.FOLDED -> ScalarPlace.Style.FOLDED;
    };
  }

  /// Where the string at this pointer stands; empty if it is none of those looked for, or if it
  /// stands elsewhere, behind an alias.
  public Optional<ScalarPlace> find(String pointer) {
    return Optional.ofNullable(found.get(pointer));
  }
}
