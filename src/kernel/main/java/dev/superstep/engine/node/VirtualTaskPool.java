package dev.superstep.engine.node;

/// Runs attempts on virtual threads behind one bound of a replica over all of its runs, which their
/// callers share.
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
    var caller = WorkPermits.caller();
    var thread =
        Thread.ofVirtual().name("task").unstarted(() -> runWithPermit(caller, turn, attempt));
    thread.start();
    return thread::interrupt;
  }

  private void runWithPermit(String caller, PoolTurn turn, Runnable attempt) {
    // An interrupt while it queues means that the attempt is abandoned; it still runs to its end,
    // which is what the driver is signalled.
    slots.acquire(caller);
    try {
      switch (turn) {
        case SAME -> workPermits.proceed(caller, attempt);
        case NEW -> workPermits.begin(caller, attempt);
      }
    } finally {
      slots.release(caller);
    }
  }
}
