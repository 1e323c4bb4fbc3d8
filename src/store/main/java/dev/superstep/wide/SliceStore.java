package dev.superstep.wide;

import dev.superstep.checkpoint.slice.SliceRows;
import dev.superstep.checkpoint.slice.TakenSlice;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.port.CheckpointStore;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunSignals;
import java.util.List;

/// The store for the execution of one slice: it records outcomes only.
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
  public RunSignals signals(Lease lease) {
    throw new UnsupportedOperationException("answers go to the driver");
  }

  @Override
  public RunSignals expire(Lease lease, List<String> interrupts) {
    throw new UnsupportedOperationException("questions are closed by the driver");
  }
}
