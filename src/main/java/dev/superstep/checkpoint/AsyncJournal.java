package dev.superstep.checkpoint;

import dev.superstep.engine.CheckpointStore.Result;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Event;
import dev.superstep.engine.Lease;
import dev.superstep.engine.RunStatus;
import dev.superstep.engine.TaskRecord;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Durability `async`: every superstep's row is written, several at a time, while the run goes on.
/// A bounded number may be outstanding. Whatever is not a superstep in the middle of a run waits
/// for all of them and is then written as with `sync`.
final class AsyncJournal implements Journal {
  private final Lease lease;
  private final SyncStore sync;
  private final AsyncWriter writer;
  private final Rows rows;
  private final int behindMax;
  private final ArrayDeque<Step> waiting = new ArrayDeque<>();
  private int beingWritten;
  private boolean cancelRequested;
  private @Nullable RuntimeException failure;

  /// Makes rows, and times for them.
  record Rows(Lease lease, Weights weights, InstantSource clock) {
    Step step(Commit commit) {
      var write = commit.checkpoint().orElseThrow();
      var row = Row.of(write, weights.get(lease.run(), commit.parent()));
      var outcomes = weights.outcomes(lease.run());
      weights.put(lease.run(), row.number(), row.weight(), Weights.Outcomes.NONE);
      return Step.promised(commit, row, outcomes);
    }

    /// The row gets the time at which it is written; the driver goes on with this one.
    Instant now() {
      return clock.instant();
    }
  }

  AsyncJournal(Lease lease, SyncStore sync, AsyncWriter writer, Rows rows, int behindMax) {
    this.lease = lease;
    this.sync = sync;
    this.writer = writer;
    this.rows = rows;
    this.behindMax = behindMax;
  }

  @Override
  public Result commit(Commit commit) {
    if (!Purpose.isPlain(commit) || commit.head().status() != RunStatus.RUNNING) {
      settle();
      return sync.commit(lease, commit);
    }
    if (isToBeCancelled()) {
      settle();
      return new Result.CancelRequested();
    }
    promise(rows.step(commit));
    return new Result.Committed(rows.now());
  }

  private synchronized boolean isToBeCancelled() {
    return cancelRequested;
  }

  @Override
  public void record(List<TaskRecord> records, List<Event> events) {
    settle();
    sync.record(lease, records, events);
  }

  private synchronized void promise(Step step) {
    awaitBelow(behindMax);
    waiting.add(step);
    if (beingWritten == 0 && waiting.size() == 1) {
      writer.serve(this);
    }
  }

  /// Waits until all that was promised is on disk.
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

  /// What is to be written next. The writer then says how it went.
  synchronized Strand take(long bytesMax) {
    var steps = new ArrayList<Step>();
    long bytes = 0;
    while (!waiting.isEmpty() && (steps.isEmpty() || bytes < bytesMax)) {
      bytes += waiting.getFirst().bytes();
      steps.add(waiting.removeFirst());
    }
    beingWritten = steps.size();
    return new Strand(lease, steps);
  }

  synchronized void written(Strand strand) {
    cancelRequested |= strand.cancelRequested();
    beingWritten = 0;
    if (!waiting.isEmpty()) {
      writer.serve(this);
    }
    notifyAll();
  }

  /// The driver is told at its next call.
  synchronized void failed(RuntimeException cause) {
    failure = cause;
    waiting.clear();
    beingWritten = 0;
    notifyAll();
  }
}
