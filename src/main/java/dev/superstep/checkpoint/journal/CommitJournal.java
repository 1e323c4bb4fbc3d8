package dev.superstep.checkpoint.journal;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.port.CheckpointStore.Result;
import dev.superstep.engine.run.Event;
import java.util.List;

/// What the driver of one run has been promised, and is not on disk yet. Only its driver's thread
/// calls it.
sealed interface CommitJournal permits AsyncJournal, ExitJournal {
  /// @throws dev.superstep.engine.run.LeaseLostException if that was found out in the meantime
  Result commit(Commit commit);

  void record(List<TaskRecord> records, List<Event> events);
}
