package dev.superstep.run.query;

import dev.superstep.checkpoint.read.Checkpoints;
import dev.superstep.compute.RequestWork;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.graph.NodeId;
import dev.superstep.run.view.NodeStatus;
import dev.superstep.run.view.RunSummary;
import dev.superstep.run.view.TaskView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/// Computes the status of each node of a run for its diagram.
@Component
class NodeStatuses {
  private static final int BATCH = 100;
  private static final int SUPERSTEPS_MAX = 10_000;

  private final Checkpoints checkpoints;
  private final OpenSuperstep open;

  NodeStatuses(Checkpoints checkpoints, OpenSuperstep open) {
    this.checkpoints = checkpoints;
    this.open = open;
  }

  /// Reads the newest 10,000 supersteps at most.
  Map<NodeId, NodeStatus> of(RunSummary run) {
    var nodeStatuses = new HashMap<NodeId, NodeStatus>();
    int below = Integer.MAX_VALUE;
    int seen = 0;
    boolean more = true;
    while (more && seen < SUPERSTEPS_MAX) {
      try (var _ = RequestWork.current().piece()) {
        var batch = checkpoints.committed(run.id(), below, BATCH);
        for (var checkpoint : batch) {
          below = checkpoint.stamp().superstep();
          of(checkpoint.delta().tasks()).forEach(nodeStatuses::putIfAbsent);
        }
        seen += batch.size();
        more = !batch.isEmpty();
      }
    }
    open.tasks(run).forEach(it -> nodeStatuses.put(it.key().node(), nodeStatus(it.status())));
    return nodeStatuses;
  }

  /// Statuses from the tasks of one superstep: a node with several tasks was not done by all of
  /// them if the failure of one was handled.
  private static Map<NodeId, NodeStatus> of(List<TaskRecord> tasks) {
    var nodeStatuses = new HashMap<NodeId, NodeStatus>();
    for (var task : tasks) {
      nodeStatuses.merge(
          task.key().node(),
          nodeStatus(task),
          (a, b) -> a == NodeStatus.HANDLED ? NodeStatus.HANDLED : b);
    }
    return nodeStatuses;
  }

  private static NodeStatus nodeStatus(TaskRecord committed) {
    if (committed.runFailure().isPresent()) {
      return NodeStatus.FAILED;
    }
    return committed.ending() instanceof TaskRecord.TaskStatus.Handled
        ? NodeStatus.HANDLED
        : NodeStatus.DONE;
  }

  private static NodeStatus nodeStatus(TaskView.Status status) {
    return switch (status) {
      case RUNNING, WAITING -> NodeStatus.ACTIVE;
      case SUCCEEDED -> NodeStatus.DONE;
      case HANDLED -> NodeStatus.HANDLED;
      case FAILED, CANCELLED -> NodeStatus.FAILED;
      case INTERRUPTED -> NodeStatus.INTERRUPTED;
    };
  }
}
