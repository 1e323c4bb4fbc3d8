package dev.superstep.engine.run;

import dev.superstep.graph.NodeId;
import java.util.Map;

/// What the nodes of a run have spent on models. Compactions count under their reserved names.
///
/// @param nodes only those that have called a model
public record Spending(Map<NodeId, Usage> nodes) {
  public static final Spending NOTHING = new Spending(Map.of());

  public Spending {
    nodes = Map.copyOf(nodes);
  }

  public Usage total() {
    var total = Usage.NOTHING;
    for (var usage : nodes.values()) {
      total = total.plus(usage);
    }
    return total;
  }
}
