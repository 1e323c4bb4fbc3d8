package dev.superstep.engine.node;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.TaskKey;
import java.util.List;
import java.util.Optional;

/// Has all replicas execute the tasks of a wide superstep, slice by slice. The driver stays and
/// waits; it gets back recorded outcomes (E10.3), so that a slice has one result whichever replica
/// executes it, and however often.
public interface Slicing {
  /// Every superstep stays with its driver.
  Slicing NONE =
      new Slicing() {
        @Override
        public int threshold() {
          return Integer.MAX_VALUE;
        }

        @Override
        public Optional<Slices> cut(Lease lease, Wide wide) {
          return Optional.empty();
        }
      };

  /// How many sliceable tasks make a superstep wide.
  int threshold();

  /// Offers the tasks to all replicas.
  ///
  /// @return empty: there is no other replica, or the bound is too narrow to be shared
  Optional<Slices> cut(Lease lease, Wide wide);

  /// The tasks that other replicas may execute.
  ///
  /// @param checkpoint that the superstep builds on
  /// @param tasks in task order
  /// @param bound tasks at a time over all replicas (E12); empty: what each replica allows
  record Wide(int checkpoint, int superstep, List<SlicedTask> tasks, Optional<Integer> bound) {
    public Wide {
      tasks = List.copyOf(tasks);
    }
  }

  /// @param index of the task in its superstep, as planned
  record SlicedTask(int index, TaskKey key) {}

  /// A superstep that is executed in slices; confined to its driver.
  interface Slices {

    /// The outcomes that have arrived since the last call.
    ///
    /// @throws LeaseLostException if another replica has claimed the run
    Arrivals look();

    /// Withdraws the slices: no replica works on them any more.
    void withdraw();
  }

  /// @param records each once, in any order
  /// @param open slices that are not closed; with 0 no more records follow
  record Arrivals(List<TaskRecord> records, int open) {
    public Arrivals {
      records = List.copyOf(records);
    }
  }
}
