package dev.superstep.engine;

import dev.superstep.graph.NodeId;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/// What the nodes of a run have spent on models. Compactions count under their reserved names.
///
/// @param nodes only those that have called a model
public record Spending(Map<NodeId, Usage> nodes) {
  public static final Spending NOTHING = new Spending(Map.of());

  public Spending {
    nodes = Map.copyOf(nodes);
  }

  /// This and what these tasks have spent, each counted once.
  public Spending plus(Collection<TaskRecord> tasks) {
    Map<NodeId, Usage> sum = null;
    for (var task : tasks) {
      if (!task.spent().isNothing()) {
        sum = sum == null ? new HashMap<>(nodes) : sum;
        sum.merge(task.key().node(), task.spent(), Usage::plus);
      }
    }
    return sum == null ? this : new Spending(sum);
  }

  public Usage total() {
    var total = Usage.NOTHING;
    for (var usage : nodes.values()) {
      total = total.plus(usage);
    }
    return total;
  }
}
