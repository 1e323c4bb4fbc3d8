package dev.superstep.checkpoint;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import java.util.List;

/// Inserts the runs that tasks start, in the driver's write that stores their outcomes (E41), and
/// ends those that are not needed any more (E54).
public interface ChildWrites {

  /// Joins the current transaction, which has written the parent's row. Existing runs are left
  /// unchanged; none is inserted if the parent is to be cancelled.
  ///
  /// @param records each waits for a run that may have to be inserted
  void insert(Lease parent, List<TaskRecord> records);

  /// Cancels the last child of each of these tasks, with all below it. Joins the current
  /// transaction, which has written the parent's row; a child that has ended stays as it is.
  void cancel(Lease parent, List<TaskRecord> records);
}
