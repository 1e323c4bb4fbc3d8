package dev.superstep.engine;

import dev.superstep.graph.Edge;
import dev.superstep.graph.NodeId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/// The order in which joins are decided that wait for what is activated (E27): each behind those
/// that lead to one of its sources. The order in which they are declared decides only where they
/// wait for each other in a circle. Takes time linear in the ends of the joins.
final class JoinOrder {
  private final Map<NodeId, List<Edge.Join>> bySource = new HashMap<>();

  /// How many joins that are not decided lead to a node.
  private final Map<NodeId, Integer> leading = new HashMap<>();

  /// How many sources of a join such joins lead to.
  private final Map<Edge.Join, Integer> open = new HashMap<>();

  private final Queue<Edge.Join> ready = new ArrayDeque<>();

  private JoinOrder(List<Edge.Join> joins) {
    for (var join : joins) {
      distinct(join.to()).forEach(it -> leading.merge(it, 1, Integer::sum));
      distinct(join.from())
          .forEach(it -> bySource.computeIfAbsent(it, _ -> new ArrayList<>()).add(join));
    }
    for (var join : joins) {
      int sources = (int) distinct(join.from()).stream().filter(leading::containsKey).count();
      open.put(join, sources);
      if (sources == 0) {
        ready.add(join);
      }
    }
  }

  private static Collection<NodeId> distinct(List<NodeId> nodes) {
    return new LinkedHashSet<>(nodes);
  }

  static List<Edge.Join> of(List<Edge.Join> joins) {
    var order = new JoinOrder(joins);
    var sorted = new ArrayList<Edge.Join>();
    var rest = new LinkedHashSet<>(joins);
    while (!rest.isEmpty()) {
      var join = order.ready.isEmpty() ? rest.getFirst() : order.ready.remove();
      if (rest.remove(join)) {
        sorted.add(join);
        order.decided(join);
      }
    }
    return sorted;
  }

  private void decided(Edge.Join join) {
    for (var node : distinct(join.to())) {
      if (leading.merge(node, -1, Integer::sum) == 0) {
        for (var next : bySource.getOrDefault(node, List.of())) {
          if (open.merge(next, -1, Integer::sum) == 0) {
            ready.add(next);
          }
        }
      }
    }
  }
}
