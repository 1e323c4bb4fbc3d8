package dev.superstep.command;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What follows what in one graph of a drawing. Steps that nothing leads to, because LangGraph
/// draws the goto of a `Command` only where the type of the function names it, are led to from a
/// step that seems to end the run.
final class LevelFlow {
  private final Map<String, List<ImportedEdge>> ways = new LinkedHashMap<>();
  private final List<String> lost = new ArrayList<>();
  private final Map<String, List<String>> joins;
  private final StepDistances distances;
  private final int[] toTheEnd;

  LevelFlow(ImportedLevel level) {
    level.steps().forEach(it -> ways.put(it, new ArrayList<>()));
    ways.put(ImportedNode.START, new ArrayList<>());
    level.edges().forEach(it -> waysOf(it.from()).add(it));
    if (next(ImportedNode.START).isEmpty() && choices(ImportedNode.START).isEmpty()) {
      lead(ImportedNode.START, level.steps().getFirst(), false);
    }
    findLost(level.steps());
    distances = new StepDistances(ways);
    toTheEnd = distances.to(ImportedNode.END);
    joins = StepJoins.of(ways, distances);
  }

  /// Steps that no edge of the drawing leads to.
  List<String> lost() {
    return List.copyOf(lost);
  }

  /// Steps at which parallel branches come together, with the last steps of those.
  Map<String, List<String>> joins() {
    return Collections.unmodifiableMap(joins);
  }

  /// Steps that run after this one in any case, the end left out.
  List<String> next(String step) {
    return waysOf(step).stream()
        .filter(it -> !it.conditional() && !it.to().equals(ImportedNode.END))
        .map(ImportedEdge::to)
        .toList();
  }

  /// Ways on among which code decides. One alone that ends the run is no decision.
  List<ImportedEdge> choices(String step) {
    var choices = waysOf(step).stream().filter(ImportedEdge::conditional).toList();
    return choices.size() == 1 && choices.getFirst().to().equals(ImportedNode.END)
        ? List.of()
        : choices;
  }

  /// The choice that is nearest to the end: a graph that always takes it comes to an end.
  String otherwise(String step) {
    return choices(step).stream()
        .map(ImportedEdge::to)
        .min(Comparator.comparingInt(it -> toTheEnd[distances.of(it)]))
        .orElse(ImportedNode.END);
  }

  private List<ImportedEdge> waysOf(String step) {
    return ways.getOrDefault(step, List.of());
  }

  private void lead(String from, String to, boolean conditional) {
    waysOf(from).add(new ImportedEdge(from, to, "", conditional));
  }

  private void findLost(List<String> steps) {
    var distances = new StepDistances(ways);
    var known = distances.from(ImportedNode.START);
    for (var step : steps) {
      if (known[distances.of(step)] == StepDistances.NEVER) {
        var host = lastOf(reached(steps, distances, known));
        lost.add(step);
        waysOf(host).removeIf(it -> it.to().equals(ImportedNode.END));
        lead(host, ImportedNode.END, true);
        lead(host, step, true);
        distances = new StepDistances(ways);
        known = distances.from(ImportedNode.START);
      }
    }
  }

  private static List<String> reached(List<String> steps, StepDistances distances, int[] known) {
    return steps.stream().filter(it -> known[distances.of(it)] != StepDistances.NEVER).toList();
  }

  /// One that ends the run, if there is one.
  private String lastOf(List<String> known) {
    return known.stream()
        .filter(it -> next(it).isEmpty() && choices(it).isEmpty())
        .findFirst()
        .orElseGet(known::getLast);
  }
}
