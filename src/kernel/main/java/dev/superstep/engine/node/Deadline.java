package dev.superstep.engine.node;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Ends a wait that must not last for ever, without a timed wait.
///
/// The JDK has one thread for the timed waits of all virtual threads, and wakes it when one begins
/// and once more when it ends. Nearly all waits for answers end long before their time is up: a
/// thousand agents had that thread wake 44,000 times in ten seconds, for a tenth of the service's
/// processor time. A deadline that is set and cancelled wakes no thread.
public final class Deadline implements AutoCloseable {
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final Future<?> timer;

  private Deadline(Future<?> timer) {
    this.timer = timer;
  }

  private static ScheduledThreadPoolExecutor clock() {
    var clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("superstep-deadlines").factory());
    clock.setRemoveOnCancelPolicy(true);
    clock.prestartAllCoreThreads();
    return clock;
  }

  /// @param expire is run once, unless the deadline is closed first; one thread runs all of them,
  ///   so it must not block
  public static Deadline in(Duration delay, Runnable expire) {
    return new Deadline(CLOCK.schedule(expire, delay.toNanos(), TimeUnit.NANOSECONDS));
  }

  /// Cancels the deadline. It may be expiring at this moment.
  @Override
  public void close() {
    timer.cancel(false);
  }
}
