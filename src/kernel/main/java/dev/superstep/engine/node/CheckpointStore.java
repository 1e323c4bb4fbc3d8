package dev.superstep.engine.node;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.StepRecord;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.CallbackRequest;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.tenant.Share;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;

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

  /// The same for a driver that knows the messages up to a number: these may be left out.
  default RunSignals signals(Lease lease, int message) {
    return signals(lease);
  }

  /// Closes expired interrupts, unless they have been answered. From here on no answer to them is
  /// accepted, so that the driver may proceed without one.
  ///
  /// @param interrupts ids; closed ones may be among them
  /// @return the signals as of then: an answer to one of the interrupts among them was in time
  /// @throws LeaseLostException if another replica has claimed the run
  RunSignals expire(Lease lease, List<String> interrupts);

  /// Closes interrupts that nobody needs any more, as [#expire] does those whose time is over.
  default RunSignals cancel(Lease lease, List<String> interrupts) {
    return expire(lease, interrupts);
  }

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

  /// Opens a callback of a task, which is on disk when this returns (E51). One that an attempt
  /// before a crash has opened is opened again as it is; others of the task are withdrawn.
  ///
  /// @throws LeaseLostException if another replica has claimed the run
  default OpenCallback openCallback(Lease lease, CallbackWrite callback) {
    throw new IllegalStateException("this store keeps no callbacks");
  }

  /// Nobody waits for this callback: answers to it are refused.
  ///
  /// @return false if it has ended before
  /// @throws LeaseLostException if another replica has claimed the run
  default boolean withdrawCallback(Lease lease, String id) {
    return true;
  }

  /// Whether a worker waits here for a task of this type: its outcome may come as soon as that of a
  /// call.
  default boolean isAwaited(Lease lease, String type) {
    return false;
  }

  /// Whether an earlier owner of the run may have begun the superstep that was open when this one
  /// took it over.
  default boolean mayRepeat(Lease lease) {
    return lease.epoch() != 1;
  }

  /// Steps that attempts of a task have recorded (E53), in order, from a place on.
  ///
  /// @param task the idempotency key that its steps have
  default StepPage steps(Lease lease, String task, int from) {
    throw new IllegalStateException("this store keeps no steps");
  }

  /// Records steps of one task, which are on disk when this returns. Each place is an attempt's
  /// that has recorded it first; that one may record it again.
  ///
  /// @return false if any place is another attempt's: that one is as it was
  /// @throws LeaseLostException if another replica has claimed the run
  default boolean record(Lease lease, StepWrite steps) {
    throw new IllegalStateException("this store keeps no steps");
  }

  /// @param records one at least, if there is any
  /// @param more whether there are more behind them
  record StepPage(List<StepRecord> records, boolean more) {
    public static final StepPage NOTHING = new StepPage(List.of(), false);

    public StepPage {
      records = List.copyOf(records);
    }
  }

  /// @param superstep of the task
  /// @param task the idempotency key that its steps have
  /// @param attempt made by the attempt
  /// @param share for whom it works
  record StepWrite(
      int superstep, String task, UUID attempt, Share share, List<StepRecord> records) {
    public StepWrite {
      records = List.copyOf(records);
    }
  }

  /// @param used number of the last callback of the task whose token is used up
  /// @param era of the history in which the superstep before was committed
  record CallbackWrite(BirthId birthId, TaskKey task, int used, int era, CallbackRequest request) {}

  record EndedWorker(String task, WorkerEnd end) {}

  /// How a commit ended.
  sealed interface CommitResult {
    /// @param at database time of the commit, or when the driver went on from it
    record Committed(Instant at) implements CommitResult {}

    /// The run is to be cancelled; only a commit of kind `final` or one that cancels gets through.
    record CancelRequested() implements CommitResult {}

    /// The run is to be paused and this commit does not, or it is not to be any more and this one
    /// does: what the driver knows of pauses is out of date.
    record PauseChanged() implements CommitResult {}

    /// There are answers that this commit does not know. It holds the superstep, or ends one in
    /// which tasks have asked.
    record AnswersPending() implements CommitResult {}
  }
}
