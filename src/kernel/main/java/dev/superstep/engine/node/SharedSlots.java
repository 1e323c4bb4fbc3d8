package dev.superstep.engine.node;

import dev.superstep.tenant.Share;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Slots that tenants and their callers share ([SlotCounts]). Those that wait are served in turn
/// ([RoundQueue]).
public final class SharedSlots {
  private final SlotCounts counts = new SlotCounts();
  private final RoundQueue<Waiter> queue = new RoundQueue<>();
  private int free;

  public SharedSlots(int max) {
    free = SlotCounts.slots(max);
  }

  private static final class Waiter {
    final Thread thread = Thread.currentThread();
    final Share share;
    volatile boolean admitted;

    Waiter(Share share) {
      this.share = share;
    }
  }

  /// Takes a slot, waiting as long as there is none for this share. An interrupt does not end the
  /// wait, and stays set.
  void acquire(Share share) {
    var waiter = enqueue(share);
    boolean interrupted = false;
    while (!waiter.admitted) {
      LockSupport.park(this);
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Waiter enqueue(Share share) {
    var waiter = new Waiter(share);
    queue.add(share, waiter);
    serve();
    return waiter;
  }

  synchronized void release(Share share) {
    counts.remove(share);
    free++;
    serve();
  }

  private void serve() {
    for (var next = next(); next != null; next = next()) {
      free--;
      counts.add(next.share);
      next.admitted = true;
      LockSupport.unpark(next.thread);
    }
  }

  private @Nullable Waiter next() {
    return free == 0 ? null : queue.poll(share -> counts.admits(share, free));
  }
}
