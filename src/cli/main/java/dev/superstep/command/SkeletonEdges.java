package dev.superstep.command;

import java.util.List;
import java.util.stream.Collectors;

/// Writes what a node cannot say itself: where a run begins if that is not one node, joins,
/// dispatches, and decisions beside edges that are always taken.
final class SkeletonEdges {
  private final LevelFlow flow;
  private final StepIds ids;

  SkeletonEdges(LevelFlow flow, StepIds ids) {
    this.flow = flow;
    this.ids = ids;
  }

  /// Whether all that follows a step stands among the edges.
  static boolean holds(LevelFlow flow, String step) {
    var choices = flow.choices(step);
    boolean joined = flow.joins().values().stream().anyMatch(it -> it.contains(step));
    return joined || choices.size() == 1 || (!choices.isEmpty() && !flow.next(step).isEmpty());
  }

  /// What has to become the condition of a way.
  static String condition(ImportedEdge choice) {
    return choice.label().isEmpty()
        ? "when it goes to '%s'".formatted(choice.to())
        : "when LangGraph's function returns '%s'".formatted(choice.label());
  }

  boolean needed(List<String> steps) {
    return startsElsewhere() || steps.stream().anyMatch(it -> holds(flow, it));
  }

  void write(SkeletonText text, int indent, List<String> steps) {
    if (startsElsewhere()) {
      ways(text, indent, ImportedNode.START);
    }
    steps.stream().filter(it -> holds(flow, it)).forEach(it -> ways(text, indent, it));
    flow.joins()
        .forEach((to, from) ->
            text.todo(
                indent,
                "- { from: %s, to: %s, join: activated }".formatted(names(from), id(to)),
                "separate edges, if '%s' runs once for each of them".formatted(to)));
  }

  /// One node alone is written first instead.
  private boolean startsElsewhere() {
    return flow.next(ImportedNode.START).size() != 1 || !flow.choices(ImportedNode.START).isEmpty();
  }

  private void ways(SkeletonText text, int indent, String step) {
    var next =
        flow.next(step).stream()
            .filter(it -> !flow.joins().getOrDefault(it, List.of()).contains(step))
            .toList();
    if (!next.isEmpty()) {
      text.line(indent, "- { from: %s, to: %s }".formatted(id(step), names(next)));
    }
    var choices = flow.choices(step);
    if (choices.size() == 1) {
      dispatch(text, indent, step, choices.getFirst().to());
    } else if (!choices.isEmpty()) {
      choice(text, indent, step, choices);
    }
  }

  /// Code that can only lead to one node does not choose: it dispatches.
  private void dispatch(SkeletonText text, int indent, String step, String to) {
    text.todo(
        indent,
        "- { from: %s, route: \"[dispatch('%s', {})]\", targets: %s }"
            .formatted(id(step), ids.of(to), id(to)),
        "one for each Send, as in fan_out('%1$s', state.items, 'item'), or next: %1$s"
            .formatted(ids.of(to)));
  }

  private void choice(SkeletonText text, int indent, String step, List<ImportedEdge> choices) {
    var otherwise = flow.otherwise(step);
    var route =
        choices.stream()
            .map(ImportedEdge::to)
            .filter(it -> !it.equals(otherwise))
            .map(it -> "false ? '%s' : ".formatted(ids.of(it)))
            .collect(Collectors.joining("", "", "'%s'".formatted(ids.of(otherwise))));
    var conditions =
        choices.stream()
            .filter(it -> !it.to().equals(otherwise))
            .map(SkeletonEdges::condition)
            .collect(Collectors.joining("; "));
    text.todo(
        indent,
        "- { from: %s, route: \"%s\", targets: %s }"
            .formatted(id(step), route, names(choices.stream().map(ImportedEdge::to).toList())),
        conditions);
  }

  private String id(String step) {
    return SkeletonText.quoted(ids.of(step));
  }

  private String names(List<String> steps) {
    return SkeletonText.names(steps.stream().map(ids::of).toList());
  }
}
