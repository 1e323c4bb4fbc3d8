package dev.superstep.engine.node;

import dev.superstep.tenant.Share;

/// Runs attempts on virtual threads behind one bound of a replica over all of its runs, which
/// tenants and callers share.
public final class VirtualTaskPool implements TaskPool {
  private final SharedSlots slots;
  private final WorkPermits workPermits;

  /// @param tasksMax attempts of one caller at a time, those blocked on I/O included
  /// @param workPermits bound the attempts that use the CPU
  public VirtualTaskPool(int tasksMax, WorkPermits workPermits) {
    slots = new SharedSlots(tasksMax);
    this.workPermits = workPermits;
  }

  @Override
  public Handle start(PoolTurn turn, Runnable attempt) {
    var share = WorkPermits.share();
    var thread =
        Thread.ofVirtual().name("task").unstarted(() -> runWithPermit(share, turn, attempt));
    thread.start();
    return thread::interrupt;
  }

  private void runWithPermit(Share share, PoolTurn turn, Runnable attempt) {
    // An interrupt while it queues means that the attempt is abandoned; it still runs to its end,
    // which is what the driver is signalled.
    slots.acquire(share);
    try {
      switch (turn) {
        case SAME -> workPermits.proceed(share, attempt);
        case NEW -> workPermits.begin(share, attempt);
      }
    } finally {
      slots.release(share);
    }
  }
}
