package dev.superstep.command;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// How many supersteps lie between the steps of a graph. Steps are numbers here, so that a graph of
/// thousands takes no time.
final class StepDistances {
  /// Of a step that the other does not lead to.
  static final int NEVER = Integer.MAX_VALUE;

  private final Map<String, Integer> numbers = new HashMap<>();
  private final int[][] behind;
  private final int[][] before;

  /// @param ways of every step, the start among them; a step without one leads to the end
  StepDistances(Map<String, List<ImportedEdge>> ways) {
    ways.keySet().forEach(it -> numbers.put(it, numbers.size()));
    numbers.put(ImportedNode.END, numbers.size());
    behind = new int[numbers.size()][];
    var counts = new int[numbers.size()];
    behind[of(ImportedNode.END)] = new int[0];
    ways.forEach((from, edges) -> {
      var targets =
          edges.isEmpty()
              ? new int[] {of(ImportedNode.END)}
              : edges.stream().mapToInt(it -> of(it.to())).toArray();
      behind[of(from)] = targets;
      Arrays.stream(targets).forEach(it -> counts[it]++);
    });
    before = reversed(counts);
  }

  int of(String step) {
    return numbers.getOrDefault(step, -1);
  }

  /// By number of the step.
  int[] from(String step) {
    return search(behind, of(step));
  }

  /// By number of the step.
  int[] to(String step) {
    return search(before, of(step));
  }

  private int[][] reversed(int[] counts) {
    var reversed = Arrays.stream(counts).mapToObj(int[]::new).toArray(int[][]::new);
    for (int from = 0; from < behind.length; from++) {
      for (int to : behind[from]) {
        reversed[to][--counts[to]] = from;
      }
    }
    return reversed;
  }

  private static int[] search(int[][] neighbours, int from) {
    var distances = new int[neighbours.length];
    Arrays.fill(distances, NEVER);
    var queue = new int[neighbours.length];
    int last = 0;
    queue[last++] = from;
    distances[from] = 0;
    for (int i = 0; i < last; i++) {
      for (int neighbour : neighbours[queue[i]]) {
        if (distances[neighbour] == NEVER) {
          distances[neighbour] = distances[queue[i]] + 1;
          queue[last++] = neighbour;
        }
      }
    }
    return distances;
  }
}
