package dev.superstep.engine.run;

import dev.superstep.graph.NodeId;
import org.jspecify.annotations.Nullable;

/// Names a task (E7): everything that can fail, interrupt, wait, be retried or resumed is keyed by
/// it.
///
/// @param dispatchId null for a plain activation
public record TaskKey(int superstep, NodeId node, @Nullable String dispatchId) {

  /// The form in which the API shows it: `superstep:node` or `superstep:node:dispatch`.
  @Override
  public String toString() {
    return dispatchId == null ? superstep + ":" + node : superstep + ":" + node + ":" + dispatchId;
  }
}
