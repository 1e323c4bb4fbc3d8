package dev.superstep.expression;

import dev.superstep.engine.node.RoundQueue;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/// Bounds the long evaluations that run on virtual threads at the same time, so that some of their
/// carrier threads stay free: else whatever else the process does would find as many of them before
/// it as there are runs that compute. Short evaluations never acquire a permit.
///
/// Those who wait are served in turn by tenants, and of a tenant by its callers. Who has had a
/// permit for a turn gives it to another one of them, and goes on later; of one caller the first
/// ends before the second begins. Meanwhile others have their work permits ([WorkPermits]), of
/// which those that compute would hold all.
final class LongWork {
  /// How long an evaluation keeps its permit while others wait for one.
  private static final long TURN = Duration.ofMillis(20).toNanos();

  private final LongSupplier nanoTime;
  private final RoundQueue<Semaphore> waiting = new RoundQueue<>();
  private int free;

  /// @param atOnce at least one
  LongWork(int atOnce, LongSupplier nanoTime) {
    free = atOnce;
    this.nanoTime = nanoTime;
  }

  /// Leaves one processor free where there are several.
  public static LongWork ofThisMachine() {
    return new LongWork(
        Math.max(1, Runtime.getRuntime().availableProcessors() - 1), System::nanoTime);
  }

  /// One permit. Of one thread.
  final class Turn {
    private final Share share = WorkPermits.share();
    private long began;

    private Turn() throws InterruptedException {
      await();
    }

    private void await() throws InterruptedException {
      acquire(share);
      began = nanoTime.getAsLong();
    }

    /// Gives the permit to another share that waits, if this had it for a turn, and waits for the
    /// next one.
    ///
    /// @throws InterruptedException if the thread should end: it has no permit any more
    void pass() throws InterruptedException {
      if (nanoTime.getAsLong() - began > TURN && admitNext(it -> !it.equals(share))) {
        await();
      }
    }

    void end() {
      release();
    }
  }

  /// Waits for its turn.
  Turn enter() throws InterruptedException {
    return new Turn();
  }

  private void acquire(Share share) throws InterruptedException {
    var admitted = new Semaphore(0);
    synchronized (this) {
      if (free > 0) {
        free--;
        return;
      }
      waiting.add(share, admitted);
    }
    try (var _ = WorkPermits.releaseWhileQueued()) {
      admitted.acquire();
    } catch (InterruptedException e) {
      leave(share, admitted);
      throw e;
    }
  }

  /// Who was admitted at that moment gives the permit on.
  private synchronized void leave(Share share, Semaphore admitted) {
    if (!waiting.remove(share, admitted)) {
      release();
    }
  }

  private synchronized void release() {
    if (!admitNext(_ -> true)) {
      free++;
    }
  }

  /// @return whether one waits that `admits` accepts
  private synchronized boolean admitNext(Predicate<Share> admits) {
    var next = waiting.poll(admits);
    if (next != null) {
      next.release();
    }
    return next != null;
  }

  synchronized int waiting() {
    return waiting.size();
  }
}
