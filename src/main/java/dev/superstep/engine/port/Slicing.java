package dev.superstep.engine.port;

import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.task.TaskKey;
import java.util.List;
import java.util.Optional;

/// Has the tasks of a wide superstep executed by all replicas, slice by slice. The driver stays and
/// waits; what it gets back are recorded outcomes (E10.3), so that a slice that is executed here or
/// elsewhere, or again, ends the same.
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

  /// How many tasks that are worth it make a superstep wide.
  int threshold();

  /// Lets the replicas begin.
  ///
  /// @return empty: there is nobody to share it with, or the bound is too narrow to be shared
  Optional<Slices> cut(Lease lease, Wide wide);

  /// What can be executed elsewhere.
  ///
  /// @param checkpoint that the superstep builds on
  /// @param tasks in task order
  /// @param bound tasks at a time over all replicas (E12); empty: what each replica allows
  record Wide(int checkpoint, int superstep, List<Part> tasks, Optional<Integer> bound) {
    public Wide {
      tasks = List.copyOf(tasks);
    }
  }

  /// @param index of the task in its superstep, as planned
  record Part(int index, TaskKey key) {}

  /// A superstep that is being executed in slices. Only its driver looks at it.
  interface Slices {

    /// What has come in since the last look.
    ///
    /// @throws LeaseLostException if another replica has claimed the run
    Arrivals look();

    /// Nobody shall work on it any more.
    void withdraw();
  }

  /// @param records each once, in any order
  /// @param open slices that are not closed; with 0 this was all there will be
  record Arrivals(List<TaskRecord> records, int open) {
    public Arrivals {
      records = List.copyOf(records);
    }
  }
}
