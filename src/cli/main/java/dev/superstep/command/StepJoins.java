package dev.superstep.command;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds steps at which parallel branches come together after different numbers of supersteps: they
/// would run once for each branch without a join. Branches of the same length need none, for what
/// several steps of one superstep lead to runs once.
final class StepJoins {
  private final StepDistances distances;
  private final Map<String, int[]> reached = new HashMap<>();
  private final Map<String, List<String>> sources = new LinkedHashMap<>();
  private final Map<String, List<String>> joins = new LinkedHashMap<>();

  private StepJoins(Map<String, List<ImportedEdge>> ways, StepDistances distances) {
    this.distances = distances;
    ways.forEach((from, edges) ->
        edges.stream()
            .filter(it -> !it.conditional() && !it.to().equals(ImportedNode.END))
            .forEach(it -> sources.computeIfAbsent(it.to(), _ -> new ArrayList<>()).add(from)));
    sources.values().removeIf(it -> it.size() < 2);
  }

  /// @return where branches come together, with the last steps of those
  static Map<String, List<String>> of(
      Map<String, List<ImportedEdge>> ways, StepDistances distances) {
    var found = new StepJoins(ways, distances);
    ways.forEach((step, edges) -> {
      if (edges.size() > 1 && edges.stream().anyMatch(it -> !it.conditional())) {
        found.behind(step);
      }
    });
    return found.joins;
  }

  /// Several branches begin at a fork at once.
  private void behind(String fork) {
    var depths = distances.from(fork);
    sources.forEach((to, all) -> {
      if (!joins.containsKey(to) && differ(depths, fork, all)) {
        join(to, all.stream().filter(it -> isBehind(depths, fork, it)).toList());
      }
    });
  }

  private boolean isBehind(int[] depths, String fork, String step) {
    return !step.equals(fork) && depths[distances.of(step)] != StepDistances.NEVER;
  }

  private boolean differ(int[] depths, String fork, List<String> steps) {
    var lengths =
        steps.stream()
            .filter(it -> isBehind(depths, fork, it))
            .mapToInt(it -> depths[distances.of(it)]);
    return Arrays.stream(lengths.toArray()).distinct().count() > 1;
  }

  /// Steps that come again after the join, and those that lead to another of them, are loops and
  /// parts of one branch.
  private void join(String to, List<String> steps) {
    var before = steps.stream().filter(it -> !leads(to, it)).toList();
    boolean parallel =
        before.size() > 1
            && before.stream().noneMatch(it -> before.stream().anyMatch(other -> leads(it, other)));
    if (parallel) {
      joins.put(to, before);
    }
  }

  private boolean leads(String from, String to) {
    var all = reached.computeIfAbsent(from, distances::from);
    return !from.equals(to) && all[distances.of(to)] != StepDistances.NEVER;
  }
}
