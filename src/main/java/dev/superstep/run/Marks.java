package dev.superstep.run;

import dev.superstep.checkpoint.Checkpoints;
import dev.superstep.engine.TaskRecord;
import dev.superstep.graph.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/// How far each node of a run has come, for its picture.
@Component
class Marks {
  private static final int BATCH = 100;
  private static final int SUPERSTEPS_MAX = 10_000;

  private final Checkpoints checkpoints;
  private final OpenSuperstep open;

  Marks(Checkpoints checkpoints, OpenSuperstep open) {
    this.checkpoints = checkpoints;
    this.open = open;
  }

  /// Looks at the newest 10,000 supersteps at most.
  Map<NodeId, NodeMark> of(RunSummary run) {
    var marks = new HashMap<NodeId, NodeMark>();
    int below = Integer.MAX_VALUE;
    for (int seen = 0; seen < SUPERSTEPS_MAX; seen += BATCH) {
      var batch = checkpoints.committed(run.id(), below, BATCH);
      for (var checkpoint : batch) {
        below = checkpoint.stamp().superstep();
        of(checkpoint.delta().tasks()).forEach(marks::putIfAbsent);
      }
      if (batch.size() < BATCH) {
        break;
      }
    }
    open.tasks(run).forEach(it -> marks.put(it.key().node(), mark(it.status())));
    return marks;
  }

  /// Of the tasks of one superstep: a node with several was not done by all of them if the failure
  /// of one was handled.
  private static Map<NodeId, NodeMark> of(List<TaskRecord> tasks) {
    var marks = new HashMap<NodeId, NodeMark>();
    for (var task : tasks) {
      var mark =
          task.ending() instanceof TaskRecord.Ending.Handled ? NodeMark.HANDLED : NodeMark.DONE;
      marks.merge(task.key().node(), mark, (a, b) -> a == NodeMark.HANDLED ? NodeMark.HANDLED : b);
    }
    return marks;
  }

  private static NodeMark mark(TaskView.Status status) {
    return switch (status) {
      case RUNNING, WAITING -> NodeMark.ACTIVE;
      case SUCCEEDED -> NodeMark.DONE;
      case HANDLED -> NodeMark.HANDLED;
      case FAILED, CANCELLED -> NodeMark.FAILED;
      case INTERRUPTED -> NodeMark.INTERRUPTED;
    };
  }
}
