package dev.superstep.checkpoint;

import dev.superstep.engine.node.RoundQueue;
import dev.superstep.engine.node.WorkPermits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Lets threads share one write. There is no timer: a thread that finds a writer free writes at
/// once and alone; entries submitted meanwhile form the next batch, which its first member leads. A
/// thread leads only the batch that it is part of. Those that wait are taken in turn by their
/// callers: large writes of one do not hold up the small one of another.
///
/// @param <M> one thread's part of a batch
public final class WriteBatcher<M extends WriteBatcher.Member> {
  private final BatchBounds bounds;
  private final Consumer<List<M>> writer;
  private final RoundQueue<Entry<M>> waiting = new RoundQueue<>();
  private int writing;

  /// What one thread submits.
  public interface Member {
    /// How much of a batch's bounds it takes.
    long bytes();
  }

  /// @param writers batches at a time
  /// @param count members of a batch
  /// @param bytes of a batch, unless its first member alone is larger
  public record BatchBounds(int writers, int count, long bytes) {
    public BatchBounds withWriters(int other) {
      return new BatchBounds(other, count, bytes);
    }
  }

  private enum State {
    QUEUED,
    TAKEN,
    LEADING,
    WRITTEN
  }

  /// A member with the thread that submitted it.
  private static final class Entry<M> {
    final M member;
    final Thread thread = Thread.currentThread();
    final String caller = WorkPermits.caller();
    volatile State state = State.QUEUED;
    volatile List<Entry<M>> batch = List.of();

    Entry(M member) {
      this.member = member;
    }
  }

  /// @param writer called once per batch; stores results in its members
  public WriteBatcher(BatchBounds bounds, Consumer<List<M>> writer) {
    this.bounds = bounds;
    this.writer = writer;
  }

  /// Returns when the writer has processed `member`.
  ///
  /// @throws StoreUnavailableException if the thread is interrupted while another writes for it
  public void write(M member) {
    var entry = new Entry<>(member);
    if (submit(entry) || isLeader(entry)) {
      lead(entry);
    }
  }

  private synchronized boolean submit(Entry<M> entry) {
    if (writing < bounds.writers()) {
      writing++;
      entry.batch = List.of(entry);
      return true;
    }
    waiting.add(entry.caller, entry);
    return false;
  }

  /// Waits until the entry's member is written, or is the first of the next batch.
  private boolean isLeader(Entry<M> entry) {
    while (true) {
      switch (entry.state) {
        case WRITTEN -> {
          return false;
        }
        case LEADING -> {
          return true;
        }
        case QUEUED, TAKEN -> LockSupport.park(this);
      }
      if (entry.thread.isInterrupted() && entry.state != State.WRITTEN) {
        release(entry);
        throw new StoreUnavailableException("interrupted while others wrote for this thread");
      }
    }
  }

  private void release(Entry<M> entry) {
    Entry<M> next = null;
    synchronized (this) {
      waiting.remove(entry.caller, entry);
      if (entry.state == State.LEADING) {
        for (var other : entry.batch.stream().skip(1).toList().reversed()) {
          waiting.addFirst(other.caller, other);
        }
        next = next();
      }
    }
    wake(next);
  }

  private void lead(Entry<M> leader) {
    var batch = leader.batch;
    try {
      writer.accept(batch.stream().map(it -> it.member).toList());
    } finally {
      wake(next());
      for (var entry : batch) {
        if (entry != leader) {
          entry.state = State.WRITTEN;
          wake(entry);
        }
      }
    }
  }

  private static void wake(@Nullable Entry<?> entry) {
    if (entry != null) {
      LockSupport.unpark(entry.thread);
    }
  }

  /// Makes a batch of the waiting entries.
  ///
  /// @return its leader; null if none waits, which frees a writer
  private synchronized @Nullable Entry<M> next() {
    var batch = new ArrayList<Entry<M>>();
    long bytes = 0;
    for (var first = waiting.peek();
        first != null && batch.size() < bounds.count();
        first = waiting.peek()) {
      bytes += first.member.bytes();
      if (bytes > bounds.bytes() && !batch.isEmpty()) {
        break;
      }
      waiting.poll();
      batch.add(first);
    }
    if (batch.isEmpty()) {
      writing--;
      return null;
    }
    batch.forEach(it -> it.state = State.TAKEN);
    var leader = batch.getFirst();
    leader.batch = batch;
    leader.state = State.LEADING;
    return leader;
  }
}
