package dev.superstep.engine.pool;

import dev.superstep.engine.port.TaskPool;
import java.util.concurrent.Semaphore;

/// Runs attempts on virtual threads behind one semaphore: the bound of a replica over all of its
/// runs.
public final class VirtualTaskPool implements TaskPool {
  private final Semaphore permits;
  private final WorkPermits workPermits;

  /// @param tasksMax attempts at a time, those blocked on I/O included
  /// @param workPermits bound the attempts that use the CPU
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
    // An interrupt while it queues means that the attempt is abandoned; it still runs to its end,
    // which is what the driver is signalled.
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
