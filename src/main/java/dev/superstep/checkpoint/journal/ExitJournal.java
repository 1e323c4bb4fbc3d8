package dev.superstep.checkpoint.journal;

import dev.superstep.checkpoint.StoreSettings;
import dev.superstep.checkpoint.commit.PlainCommit;
import dev.superstep.checkpoint.commit.SyncStore;
import dev.superstep.checkpoint.outcome.OutcomeBatch;
import dev.superstep.checkpoint.row.CommitKind;
import dev.superstep.checkpoint.row.EncodedCheckpoint;
import dev.superstep.checkpoint.row.SnapshotPolicy;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.port.CheckpointStore.Result;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.task.TaskKey;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Durability `exit`: supersteps stay in memory until the run comes to rest. Then the last of them
/// is written, with a snapshot, since the deltas before it are not, and the events of all.
/// Checkpoint numbers and supersteps in between are missing from the history (exempt from I3, I4
/// and I9).
final class ExitJournal implements CommitJournal {
  private final Lease lease;
  private final SyncStore sync;
  private final InstantSource clock;
  private final StoreSettings.Exit settings;
  private final List<Event> events = new ArrayList<>();
  private final Map<TaskKey, TaskRecord> outcomes = new LinkedHashMap<>();
  private int stored;
  private long checkedAt = System.nanoTime();
  private @Nullable Commit last;

  /// @param stored number of the last checkpoint on disk
  ExitJournal(
      Lease lease, int stored, SyncStore sync, InstantSource clock, StoreSettings.Exit settings) {
    this.lease = lease;
    this.stored = stored;
    this.sync = sync;
    this.clock = clock;
    this.settings = settings;
  }

  @Override
  public Result commit(Commit commit) {
    if (!CommitKind.isPlain(commit)) {
      return afterAll(commit);
    }
    if (commit.head().status() != RunStatus.RUNNING) {
      events.addAll(commit.events());
      return write(commit);
    }
    if (isToBeCancelled()) {
      settle();
      return new Result.CancelRequested();
    }
    last = commit;
    outcomes.clear();
    events.addAll(commit.events());
    if (events.size() >= settings.eventsMax()) {
      settle();
    }
    return new Result.Committed(clock.instant());
  }

  private Result afterAll(Commit commit) {
    settle();
    var result = sync.commit(lease, commit);
    if (result instanceof Result.Committed) {
      stored = commit.checkpoint().map(it -> it.after().number()).orElse(stored);
    }
    return result;
  }

  /// A run that writes nothing would not notice a request to cancel otherwise.
  private boolean isToBeCancelled() {
    long now = System.nanoTime();
    if (now - checkedAt < settings.look().toNanos()) {
      return false;
    }
    checkedAt = now;
    return sync.signals(lease).cancelRequested();
  }

  /// Outcomes wait, too; a question does not, nor does a side effect that a task records.
  @Override
  public void record(List<TaskRecord> records, List<Event> newEvents) {
    if (OutcomeBatch.isPlain(records, newEvents)
        && records.stream().noneMatch(ExitJournal::isOpen)) {
      records.forEach(it -> outcomes.put(it.key(), it));
    } else {
      settle();
      sync.record(lease, records, newEvents);
    }
  }

  private static boolean isOpen(TaskRecord record) {
    return record.ending() instanceof TaskRecord.TaskStatus.Open;
  }

  /// Writes everything outstanding.
  private void settle() {
    var commit = last;
    if (commit != null) {
      write(commit);
    }
    if (!outcomes.isEmpty()) {
      sync.record(lease, List.copyOf(outcomes.values()), List.of());
      outcomes.clear();
    }
  }

  private Result write(Commit commit) {
    var whole =
        new Commit(stored, commit.checkpoint(), commit.head(), events, commit.answersSeen());
    var encodedCheckpoint = EncodedCheckpoint.of(commit.checkpoint().orElseThrow(), null);
    var result =
        sync.commitPlain(
            lease, PlainCommit.promised(whole, encodedCheckpoint, SnapshotPolicy.Outcomes.PERHAPS));
    stored = encodedCheckpoint.number();
    last = null;
    events.clear();
    return result;
  }
}
