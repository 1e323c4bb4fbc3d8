package dev.superstep.engine;

import java.time.Duration;
import java.util.concurrent.Semaphore;

/// Virtual threads behind one semaphore: the bound of a replica over all of its runs.
public final class VirtualTaskPool implements TaskPool {
  private final Semaphore permits;
  private final Foreground foreground;

  /// @param tasksMax attempts at a time
  public VirtualTaskPool(int tasksMax) {
    this(tasksMax, new Foreground(tasksMax, Duration.ZERO));
  }

  /// @param tasksMax attempts at a time, those that wait for the outside included
  /// @param foreground where they run
  public VirtualTaskPool(int tasksMax, Foreground foreground) {
    permits = new Semaphore(tasksMax, true);
    this.foreground = foreground;
  }

  @Override
  public Handle start(Turn turn, Runnable attempt) {
    var thread = Thread.ofVirtual().name("task").unstarted(() -> runWithPermit(turn, attempt));
    thread.start();
    return thread::interrupt;
  }

  private void runWithPermit(Turn turn, Runnable attempt) {
    // An interrupt while it queues means that nobody waits for the attempt any more; it still runs
    // its ending, which is what tells the driver.
    permits.acquireUninterruptibly();
    try {
      switch (turn) {
        case SAME -> foreground.goOn(attempt);
        case NEW -> foreground.begin(attempt);
      }
    } finally {
      permits.release();
    }
  }
}
