package dev.superstep.run.drive;

import dev.superstep.run.stream.CommitNotifier;
import dev.superstep.run.stream.RemoteWatches;
import dev.superstep.schedule.Replica;
import java.util.Optional;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/// Notifies drivers and waiting clients, on this and other replicas, of what an API call has
/// committed.
@Component
public class AfterCommit {
  private final LocalRuns localRuns;
  private final CommitNotifier commitNotifier;
  private final SignalInbox signalInbox;
  private final RemoteWatches remoteWatches;
  private final Replica replica;

  AfterCommit(
      LocalRuns localRuns,
      CommitNotifier commitNotifier,
      SignalInbox signalInbox,
      RemoteWatches remoteWatches,
      Replica replica) {
    this.localRuns = localRuns;
    this.commitNotifier = commitNotifier;
    this.signalInbox = signalInbox;
    this.remoteWatches = remoteWatches;
    this.replica = replica;
  }

  /// Notifies the driver of the run once the current transaction has committed. The caller holds
  /// the lock of the run.
  ///
  /// @param owner of the run, as the transaction leaves it
  public void publish(String run, Optional<String> owner) {
    var other = owner.filter(it -> !replica.id().equals(Optional.of(it)));
    other.ifPresent(it -> signalInbox.store(it, run));
    TransactionSynchronizationManager.registerSynchronization(
        new TransactionSynchronization() {
          @Override
          public void afterCommit() {
            localRuns.nudge(run);
            commitNotifier.rested(run);
            other.ifPresent(_ -> remoteWatches.left(run));
          }
        });
  }
}
