package dev.superstep.graph;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// The target of an edge.
public sealed interface Target {

  /// To these nodes, all of them.
  record Nodes(List<NodeId> ids) implements Target {
    public Nodes {
      ids = List.copyOf(ids);
    }
  }

  /// To the target that the route computes.
  ///
  /// @param map translates a returned key to a node id; empty: keys are node ids
  /// @param allowed the declared targets; empty: any node of the graph
  /// @param ifEmpty where an empty result leads instead of `__end__` (E24)
  record Computed(
      Route route, Map<String, NodeId> map, Set<NodeId> allowed, Optional<NodeId> ifEmpty)
      implements Target {
    public Computed {
      map = Map.copyOf(map);
      allowed = Set.copyOf(allowed);
    }
  }
}
