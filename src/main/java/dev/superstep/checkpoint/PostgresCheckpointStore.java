package dev.superstep.checkpoint;

import dev.superstep.engine.CheckpointStore;
import dev.superstep.engine.ChildEnd;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.LeaseLostException;
import dev.superstep.engine.News;
import dev.superstep.engine.RunImage;
import dev.superstep.engine.TaskRecord;
import java.util.List;
import org.springframework.stereotype.Component;

/// What drivers write and read: checkpoints on PostgreSQL, as durable as each run asks for. It
/// calls the listener after each write; everything between a driver and SQL passes here once.
@Component
final class PostgresCheckpointStore implements CheckpointStore {
  private final SyncStore sync;
  private final Journals journals;
  private final Weights weights;
  private final CommitListener listener;

  PostgresCheckpointStore(
      SyncStore sync, Journals journals, Weights weights, CommitListener listener) {
    this.sync = sync;
    this.journals = journals;
    this.weights = weights;
    this.listener = listener;
  }

  @Override
  public void open(RunImage image) {
    if (!listener.requiresSync(image.lease())) {
      journals.open(image);
    }
  }

  @Override
  public void close(Lease lease) {
    journals.close(lease);
    weights.drop(lease.run());
  }

  @Override
  public Result commit(Lease lease, Commit commit) {
    try {
      var journal = journals.find(lease);
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
      var journal = journals.find(lease);
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
  public News news(Lease lease) {
    return sync.news(lease);
  }

  @Override
  public News expire(Lease lease, List<String> interrupts) {
    return sync.expire(lease, interrupts);
  }
}
