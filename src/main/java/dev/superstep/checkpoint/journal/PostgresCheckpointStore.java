package dev.superstep.checkpoint.journal;

import dev.superstep.checkpoint.CommitListener;
import dev.superstep.checkpoint.commit.SyncStore;
import dev.superstep.checkpoint.row.SnapshotPolicy;
import dev.superstep.engine.budget.ChildEnd;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.port.CheckpointStore;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunSignals;
import java.util.List;
import org.springframework.stereotype.Component;

/// The drivers' checkpoint store on PostgreSQL, with the durability that each run asks for. It
/// calls the listener after each write; all SQL of a driver goes through it.
@Component
public final class PostgresCheckpointStore implements CheckpointStore {
  private final SyncStore sync;
  private final CommitJournals commitJournals;
  private final SnapshotPolicy snapshotPolicy;
  private final CommitListener listener;

  public PostgresCheckpointStore(
      SyncStore sync,
      CommitJournals commitJournals,
      SnapshotPolicy snapshotPolicy,
      CommitListener listener) {
    this.sync = sync;
    this.commitJournals = commitJournals;
    this.snapshotPolicy = snapshotPolicy;
    this.listener = listener;
  }

  @Override
  public void open(LoadedRun loadedRun) {
    if (!listener.requiresSync(loadedRun.lease())) {
      commitJournals.open(loadedRun);
    }
  }

  @Override
  public void close(Lease lease) {
    commitJournals.close(lease);
    snapshotPolicy.drop(lease.run());
  }

  @Override
  public Result commit(Lease lease, Commit commit) {
    try {
      var journal = commitJournals.find(lease);
      var result = journal.isPresent() ? journal.get().commit(commit) : sync.commit(lease, commit);
      listener.committed(lease, commit, result);
      return result;
    } catch (LeaseLostException e) {
      listener.fenced(lease);
      throw e;
    }
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    try {
      var journal = commitJournals.find(lease);
      if (journal.isPresent()) {
        journal.get().record(records, events);
      } else {
        sync.record(lease, records, events);
      }
      listener.recorded(lease);
    } catch (LeaseLostException e) {
      listener.fenced(lease);
      throw e;
    }
  }

  @Override
  public ChildEnd childEnd(String run) {
    return sync.childEnd(run);
  }

  /// Questions are never ahead of the database, so neither are the answers to them.
  @Override
  public RunSignals signals(Lease lease) {
    return sync.signals(lease);
  }

  @Override
  public RunSignals expire(Lease lease, List<String> interrupts) {
    return sync.expire(lease, interrupts);
  }
}
