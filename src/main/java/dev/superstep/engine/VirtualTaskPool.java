package dev.superstep.engine;

import java.util.concurrent.Semaphore;

/// Virtual threads behind one semaphore: the bound of a replica over all of its runs.
public final class VirtualTaskPool implements TaskPool {
  private final Semaphore permits;
  private final Foreground foreground;

  /// @param tasksMax attempts at a time
  public VirtualTaskPool(int tasksMax) {
    this(tasksMax, new Foreground(tasksMax));
  }

  /// @param tasksMax attempts at a time, those that wait for the outside included
  /// @param foreground where they run
  public VirtualTaskPool(int tasksMax, Foreground foreground) {
    permits = new Semaphore(tasksMax, true);
    this.foreground = foreground;
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
      foreground.goOn(attempt);
    } finally {
      permits.release();
    }
  }
}
