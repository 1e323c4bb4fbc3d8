package dev.superstep.engine.pool;

import dev.superstep.engine.port.TaskPool;
import java.time.Duration;
import java.util.concurrent.Semaphore;

/// Virtual threads behind one semaphore: the bound of a replica over all of its runs.
public final class VirtualTaskPool implements TaskPool {
  private final Semaphore permits;
  private final WorkPermits workPermits;

  /// @param tasksMax attempts at a time
  public VirtualTaskPool(int tasksMax) {
    this(tasksMax, new WorkPermits(tasksMax, Duration.ZERO));
  }

  /// @param tasksMax attempts at a time, those that wait for the outside included
  /// @param workPermits where they run
  public VirtualTaskPool(int tasksMax, WorkPermits workPermits) {
    permits = new Semaphore(tasksMax, true);
    this.workPermits = workPermits;
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
        case SAME -> workPermits.proceed(attempt);
        case NEW -> workPermits.begin(attempt);
      }
    } finally {
      permits.release();
    }
  }
}
