package dev.superstep.json;

import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/// Reads one YAML document from the library's events.
///
/// Events rather than the library's nodes: they show tags, aliases and positions before anything is
/// built from them.
final class YamlReader {
  private final ParserImpl events;
  private final JsonProblems jsonProblems;
  private final YamlScalars scalars;
  private final HashMap<Anchor, Anchored> anchors = new HashMap<>();
  private int aliases;
  private int depth;
  private long weight;
  private int deepest;

  /// @param weight nodes and characters
  /// @param height levels below this value
  private record Anchored(Value value, long weight, int height) {}

  YamlReader(String text, JsonProblems jsonProblems) {
    this.jsonProblems = jsonProblems;
    scalars = new YamlScalars(jsonProblems);
    var settings =
        LoadSettings.builder().setCodePointLimit(jsonProblems.limits().charsMax()).build();
    events = new ParserImpl(settings, new StreamReader(settings, text));
  }

  Value read() {
    try {
      events.next();
      if (events.checkEvent(Event.ID.StreamEnd)) {
        return Value.NULL;
      }
      events.next();
      var value = readValue("");
      events.next();
      if (!events.checkEvent(Event.ID.StreamEnd)) {
        throw jsonProblems.fatal(
            YamlScalars.problem(
                JsonCodes.MALFORMED_YAML,
                "",
                "only one document is allowed; remove what begins with ---",
                events.next()));
      }
      jsonProblems.throwIfAny();
      return value;
    } catch (MarkedYamlEngineException e) {
      throw jsonProblems.fatal(malformed(e));
    } catch (YamlEngineException e) {
      throw jsonProblems.fatal(
          new Violation(
              "",
              JsonCodes.MALFORMED_YAML,
              YamlMessages.sentence("", String.valueOf(e.getMessage())),
              0,
              0));
    }
  }

  private Value readValue(String pointer) {
    var event = events.next();
    weigh(1, pointer, event);
    if (event instanceof AliasEvent alias) {
      return expand(alias, pointer);
    }
    long before = weight;
    int outer = deepest;
    deepest = depth;
    var value =
        switch (event) {
          case ScalarEvent scalar -> readScalar(scalar, pointer);
          case SequenceStartEvent start -> readList(start, pointer);
          case MappingStartEvent start -> readObject(start, pointer);
          default -> throw new IllegalStateException("not the start of a node: " + event);
        };
    var anchored = new Anchored(value, weight - before, deepest - depth);
    ((NodeEvent) event).getAnchor().ifPresent(it -> anchors.put(it, anchored));
    deepest = Math.max(outer, deepest);
    return value;
  }

  private Value readScalar(ScalarEvent scalar, String pointer) {
    weigh(scalar.getValue().length(), pointer, scalar);
    return scalars.value(scalar, pointer);
  }

  private ListValue readList(SequenceStartEvent start, String pointer) {
    enter(start, start.getTag(), pointer);
    var items = new ArrayList<Value>();
    while (!events.checkEvent(Event.ID.SequenceEnd)) {
      items.add(readValue(Pointer.child(pointer, items.size())));
    }
    events.next();
    depth--;
    return ListValue.of(items);
  }

  private ObjectValue readObject(MappingStartEvent start, String pointer) {
    enter(start, start.getTag(), pointer);
    var members = new HashMap<String, Value>();
    while (!events.checkEvent(Event.ID.MappingEnd)) {
      var at = events.peekEvent();
      var key = readKey(pointer);
      var inside = Pointer.child(pointer, key);
      if (members.containsKey(key)) {
        jsonProblems.add(
            YamlScalars.problem(
                JsonCodes.DUPLICATE_KEY,
                inside,
                "the key '%s' stands here twice".formatted(key),
                at));
      }
      members.put(key, readValue(inside));
    }
    events.next();
    depth--;
    return ObjectValue.of(members);
  }

  private String readKey(String pointer) {
    var at = events.peekEvent();
    if (at instanceof ScalarEvent && readValue(pointer) instanceof Value.Text(var key)) {
      return key;
    }
    var problem = YamlScalars.problem(JsonCodes.KEY_NOT_STRING, pointer, notString(at), at);
    if (at instanceof ScalarEvent scalar) {
      jsonProblems.add(problem);
      return scalar.getValue();
    }
    throw jsonProblems.fatal(problem);
  }

  private static String notString(Event at) {
    return at instanceof MappingStartEvent start && start.isFlow()
        ? "YAML takes {{ for an object; put the template in quotes: \"{{ … }}\""
        : "keys are strings: put it in quotes";
  }

  private Value expand(AliasEvent alias, String pointer) {
    var anchored = anchors.get(alias.getAlias());
    if (anchored == null) {
      throw jsonProblems.fatal(aliasProblem(alias, pointer, "the anchor is not defined before"));
    }
    int max = jsonProblems.limits().aliasesMax();
    if (++aliases > max) {
      throw jsonProblems.fatal(aliasProblem(alias, pointer, "more than %d aliases".formatted(max)));
    }
    weigh(anchored.weight(), pointer, alias);
    deepest = Math.max(deepest, depth + anchored.height());
    checkDepth(deepest, pointer, alias);
    return anchored.value();
  }

  private static Violation aliasProblem(AliasEvent alias, String pointer, String why) {
    return YamlScalars.problem(
        JsonCodes.YAML_ALIAS, pointer, "*%s: %s".formatted(alias.getAlias(), why), alias);
  }

  private void enter(NodeEvent start, Optional<String> tag, String pointer) {
    scalars.refuse(tag, pointer, start);
    depth++;
    deepest = Math.max(deepest, depth);
    checkDepth(depth, pointer, start);
  }

  private void checkDepth(int levels, String pointer, Event at) {
    int max = jsonProblems.limits().depthMax();
    if (levels > max) {
      throw jsonProblems.fatal(
          YamlScalars.problem(
              JsonCodes.TOO_DEEP,
              pointer,
              "nested deeper than %d lists and objects".formatted(max),
              at));
    }
  }

  private void weigh(long more, String pointer, Event at) {
    weight += more;
    if (weight > jsonProblems.limits().charsMax()) {
      throw jsonProblems.fatal(
          YamlScalars.problem(
              JsonCodes.TOO_LARGE, pointer, "aliases expand to too large a document", at));
    }
  }

  private static Violation malformed(MarkedYamlEngineException e) {
    // What is not closed is shown where it begins, not at the end of the text.
    boolean open = e.getProblem().contains("end of stream");
    var mark =
        open ? e.getContextMark().or(e::getProblemMark) : e.getProblemMark().or(e::getContextMark);
    return new Violation(
        "",
        JsonCodes.MALFORMED_YAML,
        YamlMessages.sentence(Objects.requireNonNullElse(e.getContext(), ""), e.getProblem()),
        mark.map(it -> it.getLine() + 1).orElse(0),
        mark.map(it -> it.getColumn() + 1).orElse(0));
  }
}
