package dev.superstep.run.drive;

import dev.superstep.checkpoint.CommitListener;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.run.stream.CommitNotifier;
import java.util.List;
import org.springframework.stereotype.Component;

/// Notifies waiting threads and observers of a run after each write of its driver.
///
/// It counts them, too: what the fence refuses are writes of drivers whose run was taken over while
/// they were suspended or disconnected.
@Component
class CommitSignals implements CommitListener {
  private final CommitNotifier commitNotifier;
  private final LocalRuns localRuns;
  private final Backoff backoff;
  private final Suspects suspects;
  private final RestingRuns resting;
  private final DriverMetrics metrics;

  CommitSignals(
      CommitNotifier commitNotifier,
      LocalRuns localRuns,
      Backoff backoff,
      Suspects suspects,
      RestingRuns resting,
      DriverMetrics metrics) {
    this.commitNotifier = commitNotifier;
    this.localRuns = localRuns;
    this.backoff = backoff;
    this.suspects = suspects;
    this.resting = resting;
    this.metrics = metrics;
  }

  @Override
  public void committed(Lease lease, List<Commit> commits, CommitResult result) {
    var commit = commits.getLast();
    if (result instanceof CommitResult.Committed(var at)) {
      var took = localRuns.committed(lease.run(), commit, at, it -> resting.keep(lease, it));
      metrics.committed(commit.head().status(), commits.size(), took);
      backoff.end(lease.run());
      suspects.release(lease);
    }
    if (commit.head().status() == RunStatus.RUNNING) {
      commitNotifier.signal(lease.run());
    } else {
      commitNotifier.rested(lease.run());
    }
  }

  @Override
  public void recorded(Lease lease) {
    suspects.release(lease);
    commitNotifier.signal(lease.run());
  }

  @Override
  public void fenced(Lease lease) {
    metrics.rejected();
  }
}
