package dev.superstep.definition;

import dev.superstep.json.Pointer;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// Refuses templates where a condition is meant, when a definition is posted: there they are CEL
/// without braces. Stored definitions are not looked at again.
final class Braces {
  private static final Pattern SEGMENT = Pattern.compile("(?s)\\{\\{(.*?)}}");
  private static final Set<String> OF_CONFIG = Set.of("success", "approval_when");
  private static final int SHOWN_MAX = 80;

  private final List<Problem> problems = new ArrayList<>();

  private Braces() {}

  /// The errors that were found before, with these, one for each place.
  static List<Problem> check(Value definition, List<Problem> errors) {
    var braces = new Braces();
    if (definition instanceof ObjectValue graph) {
      braces.items(graph, "edges", "", List.of("condition"));
      braces.items(graph, "nodes", "", List.of());
    }
    var known = errors.stream().map(Problem::pointer).collect(Collectors.toSet());
    var all = new ArrayList<>(errors);
    braces.problems.stream().filter(it -> !known.contains(it.pointer())).forEach(all::add);
    return List.copyOf(all);
  }

  private void items(ObjectValue graph, String list, String at, List<String> conditions) {
    if (!(graph.get(list) instanceof ListValue items)) {
      return;
    }
    int i = 0;
    for (var item : items) {
      var place = Pointer.child(Pointer.child(at, list), i++);
      if (item instanceof ObjectValue object) {
        conditions.forEach(it -> condition(object, it, place));
        object.forEach((key, value) -> member(key, value, Pointer.child(place, key)));
      }
    }
  }

  private void member(String key, Value value, String place) {
    if (key.equals("config") && value instanceof ObjectValue config) {
      OF_CONFIG.forEach(it -> condition(config, it, place));
    } else if (key.startsWith("context")) {
      rules(value, place);
    }
  }

  /// Conditions of context filters, wherever they stand.
  private void rules(Value value, String place) {
    if (value instanceof ObjectValue object) {
      condition(object, "condition", place);
      object.forEach((key, it) -> rules(it, Pointer.child(place, key)));
    } else if (value instanceof ListValue list) {
      int i = 0;
      for (var item : list) {
        rules(item, Pointer.child(place, i++));
      }
    }
  }

  private void condition(ObjectValue owner, String key, String place) {
    if (owner.get(key) instanceof Value.Text(var text)) {
      instead(text)
          .ifPresent(it ->
              problems.add(
                  Problem.of(
                      Pointer.child(place, key),
                      Codes.INVALID_EXPRESSION,
                      "a condition is CEL without braces; write %s".formatted(it))));
    }
  }

  private static Optional<String> instead(String text) {
    var segment = SEGMENT.matcher(text);
    if (!segment.find()) {
      return Optional.empty();
    }
    var inner = segment.group(1).strip();
    return Optional.of(inner.length() > SHOWN_MAX ? inner.substring(0, SHOWN_MAX) + "…" : inner);
  }
}
