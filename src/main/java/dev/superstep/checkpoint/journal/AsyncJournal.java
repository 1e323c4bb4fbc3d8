package dev.superstep.checkpoint.journal;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.checkpoint.commit.PlainCommit;
import dev.superstep.checkpoint.commit.RunBatch;
import dev.superstep.checkpoint.commit.SyncStore;
import dev.superstep.checkpoint.row.CommitKind;
import dev.superstep.checkpoint.row.EncodedCheckpoint;
import dev.superstep.checkpoint.row.SnapshotPolicy;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.port.CheckpointStore.Result;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Durability `async`: every superstep's row is written, several at a time, while the run
/// continues. A bounded number may be outstanding. Any other commit waits for all of them and is
/// then written as with `sync`.
final class AsyncJournal implements CommitJournal {
  private final Lease lease;
  private final SyncStore sync;
  private final AsyncWriter writer;
  private final CommitEncoder encoder;
  private final int behindMax;
  private final ArrayDeque<PlainCommit> waiting = new ArrayDeque<>();
  private int beingWritten;
  private boolean cancelRequested;
  private @Nullable RuntimeException failure;

  /// Encodes commits as encoder, and gives their times.
  record CommitEncoder(Lease lease, SnapshotPolicy snapshotPolicy, InstantSource clock) {
    PlainCommit encode(Commit commit) {
      var write = commit.checkpoint().orElseThrow();
      var encodedCheckpoint =
          EncodedCheckpoint.of(write, snapshotPolicy.get(lease.run(), commit.parent()));
      var outcomes = snapshotPolicy.outcomes(lease.run());
      snapshotPolicy.put(
          lease.run(),
          encodedCheckpoint.number(),
          encodedCheckpoint.replayCost(),
          SnapshotPolicy.Outcomes.NONE);
      return PlainCommit.promised(commit, encodedCheckpoint, outcomes);
    }

    /// The row gets the time at which it is written; the driver uses this one.
    Instant now() {
      return clock.instant();
    }
  }

  AsyncJournal(
      Lease lease, SyncStore sync, AsyncWriter writer, CommitEncoder encoder, int behindMax) {
    this.lease = lease;
    this.sync = sync;
    this.writer = writer;
    this.encoder = encoder;
    this.behindMax = behindMax;
  }

  @Override
  public Result commit(Commit commit) {
    if (!CommitKind.isPlain(commit) || commit.head().status() != RunStatus.RUNNING) {
      settle();
      return sync.commit(lease, commit);
    }
    if (isToBeCancelled()) {
      settle();
      return new Result.CancelRequested();
    }
    promise(encoder.encode(commit));
    return new Result.Committed(encoder.now());
  }

  private synchronized boolean isToBeCancelled() {
    return cancelRequested;
  }

  @Override
  public void record(List<TaskRecord> records, List<Event> events) {
    settle();
    sync.record(lease, records, events);
  }

  private synchronized void promise(PlainCommit plainCommit) {
    awaitBelow(behindMax);
    waiting.add(plainCommit);
    if (beingWritten == 0 && waiting.size() == 1) {
      writer.serve(this);
    }
  }

  /// Waits until all promised commits are on disk.
  private synchronized void settle() {
    awaitBelow(1);
  }

  private synchronized void awaitBelow(int count) {
    try {
      while (failure == null && waiting.size() + beingWritten >= count) {
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreUnavailableException("interrupted while supersteps were written", e);
    }
    if (failure != null) {
      throw failure;
    }
  }

  /// The batch to be written next. The writer then reports its result.
  synchronized RunBatch take(long bytesMax) {
    var plainCommits = new ArrayList<PlainCommit>();
    long bytes = 0;
    while (!waiting.isEmpty() && (plainCommits.isEmpty() || bytes < bytesMax)) {
      bytes += waiting.getFirst().bytes();
      plainCommits.add(waiting.removeFirst());
    }
    beingWritten = plainCommits.size();
    return new RunBatch(lease, plainCommits);
  }

  synchronized void written(RunBatch runBatch) {
    cancelRequested |= runBatch.cancelRequested();
    beingWritten = 0;
    if (!waiting.isEmpty()) {
      writer.serve(this);
    }
    notifyAll();
  }

  /// The driver gets the failure at its next call.
  synchronized void failed(RuntimeException cause) {
    failure = cause;
    waiting.clear();
    beingWritten = 0;
    notifyAll();
  }
}
