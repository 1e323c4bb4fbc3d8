package dev.superstep.wide;

import dev.superstep.checkpoint.SliceRows;
import dev.superstep.checkpoint.TakenSlice;
import dev.superstep.engine.CheckpointStore;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.News;
import dev.superstep.engine.TaskRecord;
import java.util.List;

/// The store as a slice sees it: it records outcomes, and nothing else.
record SliceStore(SliceRows rows, TakenSlice slice) implements CheckpointStore {

  @Override
  public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
    rows.record(slice, records, events);
  }

  @Override
  public Result commit(Lease lease, Commit commit) {
    throw new UnsupportedOperationException("a slice commits nothing");
  }

  @Override
  public News news(Lease lease) {
    throw new UnsupportedOperationException("answers go to the driver");
  }

  @Override
  public News expire(Lease lease, List<String> interrupts) {
    throw new UnsupportedOperationException("questions are closed by the driver");
  }
}
