package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphName;
import dev.superstep.definition.form.ConfigKeys;
import dev.superstep.definition.form.LongForm;
import dev.superstep.definition.form.Origins;
import dev.superstep.graph.Pointer;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Refuses templates where a condition is meant, when a definition is posted: there they are CEL
/// without braces. Where a template is refused for another reason, it adds that none is allowed
/// there. Stored definitions are not checked again.
public final class TemplateInCondition {
  public static final String NO_TEMPLATE = "; a template cannot stand here, write the value out";

  private static final Pattern SEGMENT = Pattern.compile("(?s)\\{\\{(.*?)}}");
  private static final Pattern TARGET =
      Pattern.compile("(/graphs/[^/]+)?/(edges/\\d+/to|nodes/\\d+/next)(/\\d+)?");
  private static final int SHOWN_MAX = 80;

  private final Origins origins;
  private final List<Violation> violations = new ArrayList<>();

  private TemplateInCondition(Origins origins) {
    this.origins = origins;
  }

  /// The errors found before, with these, one for each location.
  ///
  /// @param posted the definition as it was posted
  public static List<Violation> check(Value posted, LongForm longForm, List<Violation> errors) {
    var templateInCondition = new TemplateInCondition(longForm.origins());
    templateInCondition.items(longForm.definition(), "edges", "", List.of("condition"));
    templateInCondition.items(longForm.definition(), "nodes", "", List.of());
    GraphName.inlineGraphs(longForm.definition())
        .forEach((name, graph) -> {
          var at = new GraphName("", name).pointer();
          templateInCondition.items(graph, "edges", at, List.of("condition"));
          templateInCondition.items(graph, "nodes", at, List.of());
        });
    var known = pointers(errors.stream());
    var all = new ArrayList<Violation>();
    var wrong = pointers(errors.stream().filter(it -> !it.code().equals(Codes.MISSING_FIELD)));
    errors.stream()
        // an invalid member is not missing
        .filter(it -> !it.code().equals(Codes.MISSING_FIELD) || !wrong.contains(it.pointer()))
        .forEach(it -> all.add(hinted(posted, it)));
    templateInCondition.violations.stream()
        .distinct()
        .filter(it -> !known.contains(it.pointer()))
        .forEach(all::add);
    return List.copyOf(all);
  }

  private static Set<String> pointers(Stream<Violation> violations) {
    return violations.map(Violation::pointer).collect(Collectors.toSet());
  }

  /// Says so where the value that is refused is a template.
  private static Violation hinted(Value posted, Violation violation) {
    // What has a position stands in an expression, where one is allowed.
    if (violation.hasPosition()
        || violation.code().equals(Codes.INVALID_EXPRESSION)
        || violation.message().contains("template")) {
      return violation;
    }
    return Pointer.find(posted, violation.pointer())
        .flatMap(it -> it instanceof Value.Text(var text) ? instead(text) : Optional.empty())
        .map(it ->
            violation.message()
                + (TARGET.matcher(violation.pointer()).matches()
                    ? "; a template cannot stand here, write an edge with 'route: %s'".formatted(it)
                    : NO_TEMPLATE))
        .map(violation::saying)
        .orElse(violation);
  }

  private void items(ObjectValue graph, String list, String at, List<String> conditions) {
    if (!(graph.get(list) instanceof ListValue items)) {
      return;
    }
    int i = 0;
    for (var item : items) {
      var pointer = Pointer.child(Pointer.child(at, list), i++);
      if (item instanceof ObjectValue object) {
        conditions.forEach(it -> condition(object, it, pointer));
        object.forEach((key, value) -> member(key, value, Pointer.child(pointer, key)));
      }
    }
  }

  private void member(String key, Value value, String pointer) {
    if (key.equals("config") && value instanceof ObjectValue config) {
      ConfigKeys.CONDITIONS.forEach(it -> condition(config, it, pointer));
    } else if (key.startsWith("context")) {
      rules(value, pointer);
    }
  }

  /// Conditions of context filters, at any depth.
  private void rules(Value value, String pointer) {
    if (value instanceof ObjectValue object) {
      condition(object, "condition", pointer);
      object.forEach((key, it) -> rules(it, Pointer.child(pointer, key)));
    } else if (value instanceof ListValue list) {
      int i = 0;
      for (var item : list) {
        rules(item, Pointer.child(pointer, i++));
      }
    }
  }

  private void condition(ObjectValue owner, String key, String pointer) {
    if (owner.get(key) instanceof Value.Text(var text)) {
      instead(text)
          .ifPresent(it ->
              violations.add(
                  Violation.of(
                      origins.of(Pointer.child(pointer, key)),
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
