package dev.superstep.run;

import dev.superstep.checkpoint.Checkpoints;
import dev.superstep.graph.NodeId;
import java.util.HashMap;
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
        checkpoint.delta().tasks().forEach(it -> marks.put(it.key().node(), NodeMark.DONE));
      }
      if (batch.size() < BATCH) {
        break;
      }
    }
    open.tasks(run).forEach(it -> marks.put(it.key().node(), mark(it.status())));
    return marks;
  }

  private static NodeMark mark(TaskView.Status status) {
    return switch (status) {
      case RUNNING, WAITING -> NodeMark.ACTIVE;
      case SUCCEEDED -> NodeMark.DONE;
      case FAILED, CANCELLED -> NodeMark.FAILED;
      case INTERRUPTED -> NodeMark.INTERRUPTED;
    };
  }
}
