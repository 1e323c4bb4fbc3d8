package dev.superstep.json;

import dev.superstep.graph.Pointer;
import dev.superstep.json.ScalarPlace.LinePosition;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
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

/// Finds the positions of keys, values and the characters of strings in a well-formed text, in a
/// second pass that is needed only to report a problem.
public final class ScalarPlaces {
  private static final JsonFactory FACTORY = new JsonFactory();

  private final String text;
  private final Set<String> wanted;
  private final Set<String> around = new HashSet<>();
  private final Map<String, ScalarPlace> found = new HashMap<>();
  private final Map<String, Node> nodes = new HashMap<>();

  /// A value of the text. Positions are computed when they are asked for.
  ///
  /// @param key where its key begins, or itself in a list
  /// @param value where the value begins
  private record Node(Supplier<LinePosition> key, Supplier<LinePosition> value, boolean isScalar) {}

  private ScalarPlaces(String text, Set<String> wanted) {
    this.text = text;
    this.wanted = wanted;
    for (var pointer : wanted) {
      for (var it = pointer; around.add(it) && !it.isEmpty(); ) {
        it = it.substring(0, Math.max(0, it.lastIndexOf('/')));
      }
    }
  }

  /// @param pointers of what is looked for
  public static ScalarPlaces ofJson(String text, Set<String> pointers) {
    var places = new ScalarPlaces(text, pointers);
    // A byte order mark stays a character of the first line (RFC 8259, 8.1).
    var json = text.startsWith("\uFEFF") ? " " + text.substring(1) : text;
    try (var parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      parser.nextToken();
      var start = places.at(parser);
      places.json(parser, "", start);
    }
    return places;
  }

  private void json(JsonParser parser, String pointer, Supplier<LinePosition> key) {
    var token = parser.currentToken();
    note(pointer, new Node(key, at(parser), token.isScalarValue()));
    switch (token) {
      case START_OBJECT -> {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
          var inside = Pointer.child(pointer, parser.currentName());
          var name = at(parser);
          parser.nextToken();
          json(parser, inside, name);
        }
      }
      case START_ARRAY -> {
        for (int i = 0; parser.nextToken() != JsonToken.END_ARRAY; i++) {
          json(parser, Pointer.child(pointer, i), at(parser));
        }
      }
      case VALUE_STRING -> text(parser, pointer);
      default -> {}
    }
  }

  private void text(JsonParser parser, String pointer) {
    if (wanted.contains(pointer)) {
      int quote = (int) parser.currentTokenLocation().getCharOffset();
      found.put(
          pointer, new ScalarPlace(text, quote, ScalarPlace.Style.DOUBLE, parser.getString()));
    }
  }

  private Supplier<LinePosition> at(JsonParser parser) {
    int offset = (int) parser.currentTokenLocation().getCharOffset();
    return () -> ScalarPlace.position(text, offset);
  }

  private void note(String pointer, Node node) {
    if (around.contains(pointer)) {
      nodes.putIfAbsent(pointer, node);
    }
  }

  /// @param pointers of what is looked for
  public static ScalarPlaces ofYaml(String text, Set<String> pointers) {
    var places = new ScalarPlaces(text, pointers);
    var settings = LoadSettings.builder().setCodePointLimit(text.length() + 1).build();
    var events = new ParserImpl(settings, new StreamReader(settings, text));
    events.next();
    if (!events.checkEvent(Event.ID.StreamEnd)) {
      events.next();
      places.yaml(events, "", at(events.peekEvent()));
    }
    return places;
  }

  private static Supplier<LinePosition> at(Event event) {
    var mark = event.getStartMark();
    return () ->
        mark.map(it -> new LinePosition(it.getLine() + 1, it.getColumn() + 1))
            .orElse(new LinePosition(0, 0));
  }

  private void yaml(ParserImpl events, String pointer, Supplier<LinePosition> key) {
    var event = events.next();
    note(pointer, new Node(key, at(event), event.getEventId() == Event.ID.Scalar));
    switch (event.getEventId()) {
      case Scalar -> scalar((ScalarEvent) event, pointer);
      case SequenceStart -> {
        for (int i = 0; !events.checkEvent(Event.ID.SequenceEnd); i++) {
          yaml(events, Pointer.child(pointer, i), at(events.peekEvent()));
        }
        events.next();
      }
      case MappingStart -> {
        while (!events.checkEvent(Event.ID.MappingEnd)) {
          var name = events.next();
          var inside = name instanceof ScalarEvent scalar ? scalar.getValue() : "";
          yaml(events, Pointer.child(pointer, inside), at(name));
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

  /// Where a value stands that is no string, or is wrong as a whole: a scalar itself, an object or
  /// list at its key. What is not in the text is reported where it should be added.
  public Optional<LinePosition> around(String pointer) {
    return nearest(pointer).map(it -> (it.isScalar() ? it.value() : it.key()).get());
  }

  /// Where the key stands, of a value that is not wrong in itself.
  public Optional<LinePosition> key(String pointer) {
    return nearest(pointer).map(it -> it.key().get());
  }

  private Optional<Node> nearest(String pointer) {
    for (var it = pointer; !it.isEmpty(); it = it.substring(0, Math.max(0, it.lastIndexOf('/')))) {
      var node = nodes.get(it);
      if (node != null) {
        return Optional.of(node);
      }
    }
    return Optional.ofNullable(nodes.get(""));
  }
}
