package dev.superstep.run;

import dev.superstep.engine.CheckpointStore;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.News;
import dev.superstep.engine.TaskRecord;
import java.util.List;

/// Tells those who wait for a run, after each write of its driver.
final class SignallingStore implements CheckpointStore {
  private final CheckpointStore store;
  private final Signals signals;

  SignallingStore(CheckpointStore store, Signals signals) {
    this.store = store;
    this.signals = signals;
  }

  @Override
  public Result commit(Lease lease, Commit commit) {
    var result = store.commit(lease, commit);
    signals.signal(lease.run());
    return result;
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    store.record(lease, records, events);
    signals.signal(lease.run());
  }

  @Override
  public News news(Lease lease) {
    return store.news(lease);
  }
}
