package dev.superstep.run.query;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.compute.RequestWork;
import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.graph.NodeId;
import dev.superstep.run.store.RunFinder;
import java.util.HashSet;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Reads which nodes a run has run up to a superstep, the runs that it was forked from included.
@Component
public class NodesRun {
  private static final int BATCH = 100;
  private static final int SUPERSTEPS_MAX = 10_000;
  private static final int FORKS_MAX = 100;

  private final Checkpoints checkpoints;
  private final RunFinder runFinder;

  NodesRun(Checkpoints checkpoints, RunFinder runFinder) {
    this.checkpoints = checkpoints;
    this.runFinder = runFinder;
  }

  /// Reads the newest 10,000 supersteps of each of a hundred runs at most.
  public Set<NodeId> of(RunEntity run, int superstep) {
    var ran = new HashSet<NodeId>();
    var at = run;
    int last = superstep;
    for (int forks = 0; forks < FORKS_MAX; forks++) {
      collect(at.id(), last, ran);
      var first = checkpoints.find(at.id(), 0);
      var source = at.origin().parentRun();
      if (first.isEmpty()
          || first.get().stamp().kind() != CheckpointKind.FORK
          || source == null
          || !runFinder.exists(source)) {
        break;
      }
      last = Math.min(last, first.get().stamp().superstep());
      at = runFinder.run(source);
    }
    return ran;
  }

  private void collect(String run, int superstep, Set<NodeId> into) {
    int below = superstep + 1;
    int seen = 0;
    while (seen < SUPERSTEPS_MAX) {
      try (var _ = RequestWork.current().piece()) {
        var batch = checkpoints.committed(run, below, BATCH);
        if (batch.isEmpty()) {
          return;
        }
        for (var checkpoint : batch) {
          below = checkpoint.stamp().superstep();
          checkpoint.delta().tasks().forEach(it -> into.add(it.key().node()));
        }
        seen += batch.size();
      }
    }
  }
}
