package dev.superstep.run.query;

import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;

/// Computes the order of the tasks of a superstep (E11): that of the nodes in the definition, then
/// that of the dispatches as they were emitted.
final class TaskOrder {
  private TaskOrder() {}

  /// @param pending the activations of the tasks
  static Comparator<TaskKey> of(Graph graph, Pending pending) {
    Map<String, Integer> dispatches = new HashMap<>();
    for (var activation : pending.activations()) {
      if (activation instanceof Activation.Sent(var dispatch)) {
        dispatches.putIfAbsent(dispatch.id(), dispatches.size());
      }
    }
    return Comparator.<TaskKey>comparingInt(it -> graph.order(it.node()))
        .thenComparingInt(
            it -> it.dispatchId() == null ? -1 : dispatches.getOrDefault(it.dispatchId(), 0))
        .thenComparing(TaskKey::toString);
  }
}
