package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunSignals;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts how often a driver has looked for news.
///
/// @param late runs before outcomes are recorded
record CountingStore(CheckpointStore store, AtomicInteger looks, Runnable late)
    implements CheckpointStore {
  CountingStore(CheckpointStore store, AtomicInteger looks) {
    this(store, looks, () -> {});
  }

  @Override
  public CommitResult commit(Lease lease, List<Commit> commits) {
    return store.commit(lease, commits);
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    late.run();
    store.record(lease, records, events);
  }

  @Override
  public RunSignals signals(Lease lease) {
    looks.incrementAndGet();
    return store.signals(lease);
  }

  @Override
  public RunSignals expire(Lease lease, List<String> interrupts) {
    return store.expire(lease, interrupts);
  }
}
