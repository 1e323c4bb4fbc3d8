package dev.superstep.checkpoint;

import dev.superstep.engine.CheckpointStore.Result;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.TaskRecord;
import java.util.List;

/// What the driver of one run has been promised, and is not on disk yet. Only its driver's thread
/// calls it.
sealed interface Journal permits AsyncJournal, ExitJournal {
  /// @throws dev.superstep.engine.LeaseLostException if that was found out in the meantime
  Result commit(Commit commit);

  void record(List<TaskRecord> records, List<Event> events);
}
