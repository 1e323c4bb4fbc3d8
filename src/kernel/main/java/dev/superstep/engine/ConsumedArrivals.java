package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Restores the arrivals with which a join has fired, for a fork in the name of one of its members
/// (E42). Firing consumes them: without them, the member would arrive alone and the join would
/// stall.
public final class ConsumedArrivals {
  private ConsumedArrivals() {}

  /// Whether the nodes that ran before `source` matter.
  public static boolean matter(Checkpoint source, Graph graph, NodeId member) {
    return !awaited(source, graph, member).isEmpty();
  }

  /// The checkpoint with the arrivals that were consumed together with the member's, so that the
  /// join fires anew once the member arrives.
  ///
  /// @param ran the nodes that ran in supersteps up to that of `source`. A join of which all
  ///   members ran, and that does not hold the arrival of this one, has consumed it
  public static Checkpoint restore(Checkpoint source, Graph graph, NodeId member, Set<NodeId> ran) {
    var pending = source.pending();
    var arrivals = new HashMap<>(pending.arrivals());
    for (var join : awaited(source, graph, member)) {
      if (ran.containsAll(join.from())) {
        var others = new HashSet<>(join.from());
        others.remove(member);
        arrivals.put(join.id(), Set.copyOf(others));
      }
    }
    return new Checkpoint(
        source.stamp(),
        source.state(),
        source.context(),
        new Pending(
            pending.activations(),
            arrivals,
            pending.ended(),
            pending.dispatched(),
            pending.tried(),
            pending.origins(),
            pending.spent(),
            pending.outcomes()),
        source.held(),
        source.edits(),
        source.recorded());
  }

  /// Joins of mode `all` that do not hold the member's arrival; those of other modes fire with it
  /// alone.
  private static List<Edge.Join> awaited(Checkpoint source, Graph graph, NodeId member) {
    return graph.joinsFrom(member).stream()
        .filter(it -> it.mode() == Edge.Join.Mode.ALL)
        .filter(it -> !source.pending().arrivals().getOrDefault(it.id(), Set.of()).contains(member))
        .toList();
  }
}
