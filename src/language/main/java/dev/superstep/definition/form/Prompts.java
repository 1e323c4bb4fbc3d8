package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.form.Splice.SplicedText;
import dev.superstep.expression.Position;
import dev.superstep.expression.SourceText;
import dev.superstep.graph.Location;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/// `prompts`: texts that templates name. A segment `{{ prompts.name }}` gives way to the text,
/// which is a template itself and so sees what the node sees.
final class Prompts {
  private static final String PROMPTS = "prompts";
  private static final String CONFIG = "config";
  private static final Pattern NAMED = Pattern.compile("\\s*prompts\\s*\\.\\s*([A-Za-z_]\\w*)\\s*");

  /// Names are looked for and reported this often.
  private static final int UNKNOWN_MAX = 100;

  private final Map<String, String> prompts;
  private final Location at;
  private final Origins.Builder origins;
  private final int charsMax;
  private final Set<String> used = new HashSet<>();
  private final Set<String> unknown = new HashSet<>();
  private long chars;

  private Prompts(Map<String, String> prompts, int charsMax, Location at, Origins.Builder origins) {
    this.prompts = prompts;
    this.charsMax = charsMax;
    this.at = at;
    this.origins = origins;
  }

  /// A definition that declares none stays as it is.
  ///
  /// @param charsMax what the prompts may come to where they are used, together
  static ObjectValue expand(
      ObjectValue definition, int charsMax, Location at, Origins.Builder origins) {
    if (!definition.has(PROMPTS)) {
      return definition;
    }
    var texts = new HashMap<String, String>();
    definition
        .objectOrEmpty(PROMPTS)
        .forEach((name, value) -> {
          if (value instanceof Value.Text(var text)) {
            texts.put(name, text);
          }
        });
    var prompts = new Prompts(texts, charsMax, at, origins);
    prompts.refuseNested();
    var expanded = prompts.graph(definition.minus(PROMPTS), at);
    prompts.warnOfUnused();
    return expanded;
  }

  /// A prompt within a prompt could be itself, and would have two places in the file.
  private void refuseNested() {
    prompts.forEach((name, text) ->
        segments(text).stream()
            .filter(it -> it.prompt(text).isPresent())
            .findFirst()
            .ifPresent(it -> {
              var position = Position.of(text, it.open());
              at.key(PROMPTS)
                  .key(name)
                  .error(
                      new Violation(
                          "",
                          Codes.INVALID_VALUE,
                          "a prompt cannot have another one in it; write {{ prompts.%s }} where this one is used"
                              .formatted(it.prompt(text).orElseThrow()),
                          position.line(),
                          position.column()));
            }));
  }

  private void warnOfUnused() {
    prompts.keySet().stream()
        .filter(it -> !used.contains(it))
        .sorted()
        .forEach(it ->
            at.key(PROMPTS)
                .key(it)
                .warn(
                    Codes.NO_EFFECT,
                    "no template has {{ prompts.%s }}; use the prompt, or remove it"
                        .formatted(it)));
  }

  private ObjectValue graph(ObjectValue graph, Location here) {
    var expanded = graph;
    var nodes = graph.listOrEmpty("nodes");
    for (var item : Item.each(graph, "nodes", here)) {
      var node = item.object();
      nodes = nodes.with(item.index(), config(node, item.at()));
    }
    if (graph.has("nodes")) {
      expanded = expanded.plus("nodes", nodes);
    }
    expanded = members(expanded, "defaults", here, this::config);
    expanded = members(expanded, "graphs", here, this::graph);
    var context = graph.objectOrEmpty("context");
    return context.get("template") instanceof Value.Text(var text)
        ? expanded.plus(
            "context", context.plus("template", text(text, here.key("context").key("template"))))
        : expanded;
  }

  private interface Expansion {
    ObjectValue of(ObjectValue object, Location here);
  }

  private static ObjectValue members(
      ObjectValue owner, String key, Location here, Expansion expansion) {
    if (!(owner.get(key) instanceof ObjectValue members)) {
      return owner;
    }
    var expanded = members;
    for (var member : members.asMap().entrySet()) {
      if (member.getValue() instanceof ObjectValue object) {
        var place = here.key(key).key(member.getKey());
        expanded = expanded.plus(member.getKey(), expansion.of(object, place));
      }
    }
    return owner.plus(key, expanded);
  }

  private ObjectValue config(ObjectValue owner, Location here) {
    if (!(owner.get(CONFIG) instanceof ObjectValue config)) {
      return owner;
    }
    var expanded = config;
    for (var member : config.asMap().entrySet()) {
      if (ConfigKeys.isTemplate(member.getKey())) {
        var value = value(member.getValue(), here.key(CONFIG).key(member.getKey()));
        expanded = expanded.plus(member.getKey(), value);
      }
    }
    return owner.plus(CONFIG, expanded);
  }

  private Value value(Value value, Location here) {
    return switch (value) {
      case Value.Text(var text) -> text(text, here);
      case ListValue list -> {
        var items = list;
        for (int i = 0; i < list.size(); i++) {
          items = items.with(i, value(list.get(i), here.item(i)));
        }
        yield items;
      }
      case ObjectValue object -> {
        var members = object;
        for (var member : object.asMap().entrySet()) {
          members =
              members.plus(member.getKey(), value(member.getValue(), here.key(member.getKey())));
        }
        yield members;
      }
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _ -> value;
    };
  }

  private Value text(String text, Location here) {
    var pieces = new ArrayList<SplicedText>();
    int done = 0;
    for (var segment : segments(text)) {
      var prompt = segment.prompt(text).flatMap(it -> find(it, text, segment, here));
      if (prompt.isPresent()) {
        pieces.add(
            new SplicedText(text.substring(done, segment.open()), here.pointer(), text, done));
        pieces.add(prompt.get());
        done = segment.end();
      }
    }
    if (pieces.isEmpty()) {
      return Value.of(text);
    }
    pieces.add(new SplicedText(text.substring(done), here.pointer(), text, done));
    var splice = new Splice(pieces);
    origins.spliced(here, splice);
    return Value.of(splice.text());
  }

  private Optional<SplicedText> find(
      String name, String text, PromptSegment segment, Location here) {
    var prompt = prompts.get(name);
    if (prompt == null) {
      if (unknown.size() < UNKNOWN_MAX && unknown.add(name)) {
        reportUnknown(name, Position.of(text, segment.open() + 2), here);
      }
      return Optional.of(new SplicedText("", here.pointer(), text, segment.open()));
    }
    used.add(name);
    chars += prompt.length();
    if (chars > charsMax) {
      if (chars - prompt.length() <= charsMax) {
        here.error(
            Codes.TOO_MANY,
            "prompts come to more than %d characters where they are used, up to here; use large ones less often"
                .formatted(charsMax));
      }
      return Optional.of(new SplicedText("", here.pointer(), text, segment.open()));
    }
    return Optional.of(new SplicedText(prompt, at.key(PROMPTS).key(name).pointer(), prompt, 0));
  }

  private void reportUnknown(String name, Position position, Location here) {
    here.error(
        new Violation(
            "",
            Codes.UNKNOWN_PROMPT,
            "there is no prompt '%s'%s; declare it under 'prompts'"
                .formatted(name, Suggestion.among(prompts.keySet(), name)),
            position.line(),
            position.column()));
  }

  /// A segment of a template, braces included.
  private record PromptSegment(int open, int end) {
    Optional<String> prompt(String text) {
      var named = NAMED.matcher(text.substring(open + 2, end - 2));
      return named.matches() ? Optional.of(named.group(1)) : Optional.empty();
    }
  }

  /// Up to one that has no end, which is reported where templates are compiled.
  private static List<PromptSegment> segments(String text) {
    if (!text.contains(PROMPTS)) {
      return List.of();
    }
    var segments = new ArrayList<PromptSegment>();
    int end = 0;
    for (int open = text.indexOf("{{"); open >= 0; open = text.indexOf("{{", end)) {
      int close = SourceText.endOfSegment(text, open + 2);
      if (close < 0) {
        return segments;
      }
      end = close + 2;
      segments.add(new PromptSegment(open, end));
    }
    return segments;
  }
}
