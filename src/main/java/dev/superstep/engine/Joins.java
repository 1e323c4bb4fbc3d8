package dev.superstep.engine;

import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Edges from several sources (E27): which have fired, which wait for whom.
final class Joins {
  private final Graph graph;

  Joins(Graph graph) {
    this.graph = graph;
  }

  /// @param fired the activations of the joins that fired, in declaration order
  /// @param arrivals of the joins that did not, for the checkpoint
  record Fired(List<Activation> fired, Map<String, Set<NodeId>> arrivals) {}

  /// @param arrived sources that arrived with this commit
  /// @param pending what is activated without joins
  Fired fire(Map<String, Set<NodeId>> before, Set<NodeId> arrived, List<Activation> pending) {
    if (graph.joins().isEmpty()) {
      return new Fired(List.of(), Map.of());
    }
    var fired = new ArrayList<Activation>();
    var arrivals = new HashMap<String, Set<NodeId>>();
    for (var join : graph.joins()) {
      var here = new HashSet<>(before.getOrDefault(join.id(), Set.of()));
      join.from().stream().filter(arrived::contains).forEach(here::add);
      if (fires(join, here, arrived, pending, fired)) {
        join.to().forEach(it -> fired.add(new Activation.Plain(it)));
      } else if (!here.isEmpty() && join.mode() != Edge.Join.Mode.ANY) {
        arrivals.put(join.id(), Set.copyOf(here));
      }
    }
    return new Fired(fired, arrivals);
  }

  private static boolean fires(
      Edge.Join join,
      Set<NodeId> here,
      Set<NodeId> arrived,
      List<Activation> pending,
      List<Activation> fired) {
    return switch (join.mode()) {
      case ALL -> here.containsAll(join.from());
      case ANY -> join.from().stream().anyMatch(arrived::contains);
      case ACTIVATED ->
          !here.isEmpty() && !pendsAny(pending, join.from()) && !pendsAny(fired, join.from());
    };
  }

  private static boolean pendsAny(List<Activation> pending, List<NodeId> nodes) {
    return pending.stream().anyMatch(it -> nodes.contains(it.node()));
  }

  /// The sources that `all` joins still miss, by edge id; empty if no join is partly satisfied
  /// (E13).
  Map<String, List<NodeId>> missing(Map<String, Set<NodeId>> arrivals) {
    var missing = new HashMap<String, List<NodeId>>();
    for (var join : graph.joins()) {
      var here = arrivals.get(join.id());
      if (here != null && join.mode() == Edge.Join.Mode.ALL) {
        missing.put(join.id(), join.from().stream().filter(it -> !here.contains(it)).toList());
      }
    }
    return missing;
  }
}
