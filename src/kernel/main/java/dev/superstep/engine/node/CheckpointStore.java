package dev.superstep.engine.node;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.WorkerEnd;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/// Stores what must survive a crash of a driver. Every write is fenced by the lease; a commit whose
/// acknowledgement was lost is found again by the store, not by the driver.
public interface CheckpointStore {

  /// The driver of this lease has ended, for whatever reason.
  default void close(Lease lease) {}

  /// Whether the run is on disk as its driver has loaded it. If not, the next write stores it, too.
  default boolean isOnDisk(Lease lease) {
    return true;
  }

  /// Writes commits, each behind the one before, which are on disk when this returns, or changes
  /// nothing and returns why.
  ///
  /// @param commits several only if all are [plain][Commit#isPlain()]; none only if the run is not
  ///   on disk yet
  /// @return the time of the last
  /// @throws LeaseLostException if another replica has claimed the run
  CommitResult commit(Lease lease, List<Commit> commits);

  default CommitResult commit(Lease lease, Commit commit) {
    return commit(lease, List.of(commit));
  }

  /// Records outcomes of tasks while siblings are still open, so that a crash does not run them
  /// again (E10.3), and opens the interrupts among them. The next claim loads them.
  ///
  /// @throws LeaseLostException if another replica has claimed the run
  void record(Lease lease, List<TaskRecord> records, List<Event> events);

  /// Reads the signals of API calls and child runs.
  RunSignals signals(Lease lease);

  /// Closes expired interrupts, unless they have been answered. From here on no answer to them is
  /// accepted, so that the driver may proceed without one.
  ///
  /// @param interrupts ids; closed ones may be among them
  /// @return the signals as of then: an answer to one of the interrupts among them was in time
  /// @throws LeaseLostException if another replica has claimed the run
  RunSignals expire(Lease lease, List<String> interrupts);

  /// How a child run ended (E41).
  default ChildEnd childEnd(String run) {
    throw new IllegalStateException("this store keeps no children; run '%s'".formatted(run));
  }

  /// How some of the tasks that wait for workers ended (E52). Each end is counted like an answer.
  /// There may be more: so long as there is one, one at least is returned.
  ///
  /// @param waiting ids under which they are queued
  default List<EndedWorker> workerEnds(Lease lease, Set<String> waiting) {
    throw new IllegalStateException("this store keeps no tasks of workers");
  }

  record EndedWorker(String task, WorkerEnd end) {}

  /// How a commit ended.
  sealed interface CommitResult {
    /// @param at database time of the commit, or when the driver went on from it
    record Committed(Instant at) implements CommitResult {}

    /// The run is to be cancelled; only a commit of kind `final` or one that cancels gets through.
    record CancelRequested() implements CommitResult {}

    /// There are answers that this commit does not know. It holds the superstep, or ends one in
    /// which tasks have asked.
    record AnswersPending() implements CommitResult {}
  }
}
