package dev.superstep.checkpoint.journal;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.port.CheckpointStore.Result;
import dev.superstep.engine.run.Event;
import java.util.List;

/// Commits that the driver of one run counts as done and that are not on disk yet. Confined to the
/// driver's thread.
interface CommitJournal {
  /// @throws dev.superstep.engine.run.LeaseLostException if the lease was lost meanwhile
  Result commit(Commit commit);

  void record(List<TaskRecord> records, List<Event> events);
}
