package dev.superstep.engine;

import java.util.concurrent.Semaphore;

/// Virtual threads behind one semaphore: the bound of a replica over all of its runs.
public final class VirtualTaskPool implements TaskPool {
  private final Semaphore permits;

  /// @param tasksMax attempts at a time
  public VirtualTaskPool(int tasksMax) {
    permits = new Semaphore(tasksMax, true);
  }

  @Override
  public Handle start(Runnable attempt) {
    var thread = Thread.ofVirtual().name("task").unstarted(() -> runWithPermit(attempt));
    thread.start();
    return thread::interrupt;
  }

  private void runWithPermit(Runnable attempt) {
    // An interrupt while it queues means that nobody waits for the attempt any more; it still runs
    // its ending, which is what tells the driver.
    permits.acquireUninterruptibly();
    try {
      attempt.run();
    } finally {
      permits.release();
    }
  }
}
