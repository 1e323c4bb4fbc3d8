package dev.superstep.run.query;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.NodeId;
import dev.superstep.run.NodeCounts.NodeTasks;
import dev.superstep.run.NodeStatus;
import dev.superstep.run.RunSummary;
import dev.superstep.run.TaskView.Status;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Computes the status of each node of a run for its diagram, from the newest superstep in which it
/// has run.
@Component
class NodeStatuses {
  private static final int ANSWERS_MAX = 5;

  private final NodeTally tally;

  NodeStatuses(NodeTally tally) {
    this.tally = tally;
  }

  /// Reads the newest 10,000 supersteps at most.
  Map<NodeId, NodeStatus> of(RunSummary run) {
    var nodeStatuses = new HashMap<NodeId, NodeStatus>();
    var counts = tally.of(run, -1, Optional.empty());
    boolean cancelled = run.status() == RunStatus.CANCELLED;
    counts.open().forEach(it -> nodeStatuses.put(it.node(), nodeStatus(it, cancelled)));
    for (int answers = 1; ; answers++) {
      counts
          .committed()
          .forEach(it -> nodeStatuses.putIfAbsent(it.node(), nodeStatus(it, cancelled)));
      if (counts.next().isEmpty() || answers == ANSWERS_MAX) {
        return nodeStatuses;
      }
      counts = tally.of(run, -1, counts.next());
    }
  }

  /// A node with several tasks was not done by all of them if the failure of one was handled.
  private static NodeStatus nodeStatus(NodeTasks tasks, boolean isRunCancelled) {
    var newest = tasks.newest().keySet();
    // Dispatches may be cancelled while others are enough.
    boolean cancelled = newest.contains(Status.CANCELLED) && (isRunCancelled || newest.size() == 1);
    if (newest.contains(Status.FAILED) || cancelled) {
      return NodeStatus.FAILED;
    }
    if (newest.contains(Status.INTERRUPTED)) {
      return NodeStatus.INTERRUPTED;
    }
    if (newest.contains(Status.RUNNING) || newest.contains(Status.WAITING)) {
      return NodeStatus.ACTIVE;
    }
    return newest.contains(Status.HANDLED) ? NodeStatus.HANDLED : NodeStatus.DONE;
  }
}
