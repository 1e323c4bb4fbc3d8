package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import java.util.List;

/// Makes the runs that tasks begin, as part of the driver's write that keeps their outcomes (E41).
public interface ChildWrites {

  /// Joins the current transaction, which has written the parent's row. Those that are there
  /// already are left alone; none is made if the parent is to be cancelled.
  ///
  /// @param records each waits for a run that may have to be made
  void insert(Lease parent, List<TaskRecord> records);
}
