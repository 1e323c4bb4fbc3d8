package dev.superstep.run;

import dev.superstep.engine.CheckpointStore;
import dev.superstep.engine.ChildEnd;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.LeaseLostException;
import dev.superstep.engine.News;
import dev.superstep.engine.RunImage;
import dev.superstep.engine.TaskRecord;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;

/// Counts the writes that the fence has refused, as `superstep.commits.rejected`: those of drivers
/// whose run was taken over while they were asleep or cut off.
final class RejectionCount implements CheckpointStore {
  private final CheckpointStore store;
  private final Counter rejected;

  RejectionCount(CheckpointStore store, MeterRegistry meters) {
    this.store = store;
    rejected =
        Counter.builder("superstep.commits.rejected")
            .description("Writes of drivers whose run another replica had taken over")
            .register(meters);
  }

  @Override
  public void open(RunImage image) {
    store.open(image);
  }

  @Override
  public void close(Lease lease) {
    store.close(lease);
  }

  @Override
  public Result commit(Lease lease, Commit commit) {
    try {
      return store.commit(lease, commit);
    } catch (LeaseLostException e) {
      rejected.increment();
      throw e;
    }
  }

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    try {
      store.record(lease, records, events);
    } catch (LeaseLostException e) {
      rejected.increment();
      throw e;
    }
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
