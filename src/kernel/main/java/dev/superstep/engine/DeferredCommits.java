package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.node.LiveText;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.run.Deferral;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Commits from which a driver has gone on before they are on disk (Nightingale et al., *Rethink
/// the Sync*, OSDI 2006): nobody can have noticed what they lead to. They go to disk together, in
/// one write, before anything that somebody could notice. What a crash loses of them is done again
/// from the last checkpoint on disk, as if it had not been. A run whose caller waits for its end
/// may itself not be on disk yet.
///
/// A flush may be refused because the run is to be cancelled. Then nothing of them has happened,
/// and the driver goes back to [#goBack()]. A run that is to pause does so behind them: calls that
/// they stand for are not made again.
final class DeferredCommits {
  private final CheckpointStore store;
  private final Lease lease;
  private final Deferral deferral;
  private final List<Commit> commits = new ArrayList<>();
  private final List<TaskKey> unwritten = new ArrayList<>();
  private Checkpoint onDisk;
  private Checkpoint last;
  private long bytes;
  private @Nullable Instant dueAt;
  private boolean refused;
  private boolean pauses;
  private volatile boolean behind;

  /// @param loaded the run's checkpoint on disk
  DeferredCommits(CheckpointStore store, Lease lease, Deferral deferral, Checkpoint loaded) {
    this.store = store;
    this.lease = lease;
    this.deferral = deferral;
    onDisk = loaded;
    last = loaded;
    dueAt = store.isOnDisk(lease) ? null : loaded.stamp().at().plus(deferral.time());
  }

  /// Whether the driver may go on from `commit`. It waits for what its tasks have spent, and for
  /// the end of the run.
  boolean defers(Commit commit) {
    return !refused
        && deferral.supersteps() > 0
        && commit.isPlain()
        && commit.head().status().active()
        && commit.checkpoint().stream()
            .flatMap(it -> it.delta().tasks().stream())
            .allMatch(it -> it.spent().isNothing());
  }

  /// @param after the checkpoint that the driver goes on from; its time is that of the commit
  /// @param unwritten its tasks whose outcomes are nowhere else
  void add(Commit commit, Checkpoint after, List<TaskKey> unwritten) {
    this.unwritten.addAll(unwritten);
    var at = after.stamp().at();
    behind = true;
    commits.add(commit.continuedAt(at));
    last = after;
    bytes += commit.sizeBytes();
    if (dueAt == null) {
      dueAt = at.plus(deferral.time());
    }
  }

  /// Observers that see nothing while anything is not on disk; for any thread.
  RunObserver behind(RunObserver observer) {
    return new LateObserver(observer);
  }

  /// When they have to be on disk at the latest.
  Optional<Instant> dueAt() {
    return Optional.ofNullable(dueAt);
  }

  void flushIfDue(Instant now) {
    boolean due =
        commits.size() >= deferral.supersteps()
            || bytes >= deferral.bytes()
            || (dueAt != null && !dueAt.isAfter(now));
    if (due) {
      flush();
    }
  }

  /// Returns when all are on disk.
  ///
  /// @return false if the run is to be cancelled instead
  boolean flush() {
    if (!commits.isEmpty() || !store.isOnDisk(lease)) {
      var result = store.commit(lease, commits);
      if (result instanceof CommitResult.PauseChanged) {
        pauses = true;
        commits.addLast(commits.removeLast().passingPause());
        result = store.commit(lease, commits);
      }
      refused = !(result instanceof CommitResult.Committed);
      forget();
      if (!refused) {
        onDisk = last;
      }
    }
    return !refused;
  }

  /// Writes them together with `commit`, or before it if it cannot share their write.
  CommitResult flushWith(Commit commit) {
    if (!commit.isPlain()) {
      return flush() ? store.commit(lease, commit) : new CommitResult.CancelRequested();
    }
    if (refused) {
      return new CommitResult.CancelRequested();
    }
    var all = new ArrayList<>(commits);
    all.add(commit);
    var result = store.commit(lease, all);
    if (result instanceof CommitResult.AnswersPending
        || result instanceof CommitResult.PauseChanged) {
      // What is deferred needs none, and must not be done again.
      return flush() ? result : new CommitResult.CancelRequested();
    }
    refused = all.size() > 1 && !(result instanceof CommitResult.Committed);
    forget();
    return result;
  }

  /// The driver goes on from this checkpoint, which is on disk.
  void onDisk(Checkpoint checkpoint) {
    onDisk = checkpoint;
    last = checkpoint;
  }

  /// Whether a flush has been refused, so that the driver must go back.
  boolean isRefused() {
    return refused;
  }

  /// The checkpoint on disk, from which the driver goes on after a refusal.
  Checkpoint goBack() {
    refused = false;
    last = onDisk;
    return onDisk;
  }

  /// Whether a flush has come upon a pause since this was asked last: the driver has to look before
  /// it begins anything.
  boolean takePause() {
    boolean found = pauses;
    pauses = false;
    return found;
  }

  /// Drops them with their driver.
  ///
  /// @return the tasks whose outcomes are lost by that
  List<TaskKey> drop() {
    var lost = List.copyOf(unwritten);
    forget();
    return lost;
  }

  private void forget() {
    behind = false;
    commits.clear();
    unwritten.clear();
    bytes = 0;
    dueAt = null;
  }

  /// Passes live events on only where what they follow is on disk.
  private final class LateObserver implements RunObserver {
    private final RunObserver observer;

    LateObserver(RunObserver observer) {
      this.observer = observer;
    }

    @Override
    public boolean watches(String run) {
      return !behind && observer.watches(run);
    }

    @Override
    public boolean keepsTexts(String run) {
      return observer.keepsTexts(run);
    }

    @Override
    public void observe(String run, String type, TaskKey task, ObjectValue data) {
      if (!behind) {
        observer.observe(run, type, task, data);
      }
    }

    @Override
    public LiveText begin(String run, TaskKey task, int attempt, Optional<String> messageId) {
      return observer.begin(run, task, attempt, messageId);
    }

    @Override
    public void lost(String run, TaskKey task) {
      observer.lost(run, task);
    }

    @Override
    public void ended(String run, List<Task> tasks) {
      observer.ended(run, tasks);
    }
  }
}
