package dev.superstep.run;

import dev.superstep.engine.CheckpointStore;
import dev.superstep.engine.ChildEnd;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.News;
import dev.superstep.engine.RunImage;
import dev.superstep.engine.RunStatus;
import dev.superstep.engine.TaskRecord;
import java.util.List;
import org.springframework.stereotype.Component;

/// Tells those who wait for a run, and those who keep an eye on it, after each write of its driver.
final class SignallingStore implements CheckpointStore {
  private final CheckpointStore store;
  private final Told told;

  /// Who is told.
  @Component
  record Told(Signals signals, Drivers drivers, Backoff backoff, Suspects suspects) {}

  SignallingStore(CheckpointStore store, Told told) {
    this.store = store;
    this.told = told;
  }

  /// Every write of a suspect is on disk when it returns, whatever the run's durability: with what
  /// was only promised it would leave its place, and still be a suspect when its process dies.
  @Override
  public void open(RunImage image) {
    if (!told.suspects().drives(image.lease())) {
      store.open(image);
    }
  }

  @Override
  public void close(Lease lease) {
    store.close(lease);
  }

  @Override
  public Result commit(Lease lease, Commit commit) {
    var result = store.commit(lease, commit);
    if (result instanceof Result.Committed(var at)) {
      told.drivers().committed(lease.run(), commit, at);
      told.backoff().end(lease.run());
      told.suspects().leave(lease);
    }
    if (commit.head().status() == RunStatus.RUNNING) {
      told.signals().signal(lease.run());
    } else {
      told.signals().rested(lease.run());
    }
    return result;
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    store.record(lease, records, events);
    told.suspects().leave(lease);
    told.signals().signal(lease.run());
  }

  @Override
  public ChildEnd childEnd(String run) {
    return store.childEnd(run);
  }

  @Override
  public News news(Lease lease) {
    return store.news(lease);
  }

  @Override
  public News expire(Lease lease, List<String> interrupts) {
    return store.expire(lease, interrupts);
  }
}
