package dev.superstep.checkpoint;

import dev.superstep.engine.Lease;
import dev.superstep.engine.TaskRecord;
import java.util.List;

/// Makes the runs that tasks begin, as part of the driver's write that keeps their outcomes (E41).
public interface ChildWrites {

  /// Joins the current transaction, which has written the parent's row. Those that are there
  /// already are left alone; none is made if the parent is to be cancelled.
  ///
  /// @param records each waits for a run that may have to be made
  void bear(Lease parent, List<TaskRecord> records);
}
