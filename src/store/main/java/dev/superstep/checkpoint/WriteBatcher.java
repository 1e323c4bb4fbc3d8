package dev.superstep.checkpoint;

import dev.superstep.engine.node.RoundQueue;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.tenant.Share;
import dev.superstep.tenant.Tenant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Lets threads share one write. There is no timer: a thread that finds a writer free leads a batch
/// at once; of those that come meanwhile one leads the next. A batch is what waits when its leader
/// begins to write. Those that wait are taken in turn by their tenants and callers: large writes of
/// one do not hold up the small one of another.
///
/// Writes that cost less together may ask leaders to let other threads run before they write, who
/// may come to share it. They do so only while batches have had company: a thread that is alone
/// never waits for anybody.
///
/// @param <M> one thread's part of a batch
public final class WriteBatcher<M extends WriteBatcher.Member> {
  private static final int COMPANY = 16;

  private final BatchBounds bounds;
  private final Consumer<List<M>> writer;
  private final Runnable pause;
  private final RoundQueue<Entry<M>> waiting = new RoundQueue<>();
  private int writing;

  /// How many batches of one there may be before leaders stop to expect company.
  private volatile int company;

  /// What one thread submits.
  public interface Member {
    /// How much of a batch's bounds it takes.
    long bytes();

    /// For whom it is written.
    default Share share() {
      return WorkPermits.share();
    }
  }

  /// @param writers batches at a time
  /// @param count members of a batch
  /// @param bytes of a batch, unless its first member alone is larger
  /// @param yields how often a leader lets other threads run before it writes
  public record BatchBounds(int writers, int count, long bytes, int yields) {
    public BatchBounds(int writers, int count, long bytes) {
      this(writers, count, bytes, 0);
    }

    public BatchBounds withWriters(int other) {
      return new BatchBounds(other, count, bytes, yields);
    }

    public BatchBounds withYields(int other) {
      return new BatchBounds(writers, count, bytes, other);
    }
  }

  private enum State {
    QUEUED,
    TAKEN,
    LEADING,
    WRITTEN
  }

  /// A member with the thread that submitted it.
  private static final class Entry<M extends Member> {
    final M member;
    final Thread thread = Thread.currentThread();
    final Share share;
    volatile State state = State.QUEUED;

    Entry(M member) {
      this.member = member;
      this.share = member.share();
    }
  }

  /// @param writer called once per batch; stores results in its members
  public WriteBatcher(BatchBounds bounds, Consumer<List<M>> writer) {
    this(bounds, writer, Thread::yield);
  }

  /// @param pause lets other threads run
  WriteBatcher(BatchBounds bounds, Consumer<List<M>> writer, Runnable pause) {
    this.bounds = bounds;
    this.writer = writer;
    this.pause = pause;
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
      return true;
    }
    waiting.add(entry.share, entry);
    return false;
  }

  /// Waits until the entry's member is written, or its thread leads the next batch.
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
      waiting.remove(entry.share, entry);
      if (entry.state == State.LEADING) {
        next = next();
      }
    }
    wake(next);
  }

  private void lead(Entry<M> leader) {
    for (int i = 0; i < bounds.yields() && company > 0; i++) {
      pause.run();
    }
    var batch = batch(leader);
    try {
      // for others, who may be of other tenants than the leader's request
      Tenant.<Object, RuntimeException>outside(() -> {
        writer.accept(batch.stream().map(it -> it.member).toList());
        return batch;
      });
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

  /// The leader's member, and of those that wait as many as a batch takes.
  private synchronized List<Entry<M>> batch(Entry<M> leader) {
    var batch = new ArrayList<Entry<M>>();
    batch.add(leader);
    long bytes = leader.member.bytes();
    for (var first = waiting.peek();
        first != null && batch.size() < bounds.count();
        first = waiting.peek()) {
      bytes += first.member.bytes();
      if (bytes > bounds.bytes()) {
        break;
      }
      waiting.poll();
      first.state = State.TAKEN;
      batch.add(first);
    }
    company = batch.size() > 1 ? COMPANY : Math.max(0, company - 1);
    return batch;
  }

  /// Who leads the next batch; null if none waits, which frees a writer.
  private synchronized @Nullable Entry<M> next() {
    var leader = waiting.poll();
    if (leader == null) {
      writing--;
      return null;
    }
    leader.state = State.LEADING;
    return leader;
  }

  private static void wake(@Nullable Entry<?> entry) {
    if (entry != null) {
      LockSupport.unpark(entry.thread);
    }
  }
}
