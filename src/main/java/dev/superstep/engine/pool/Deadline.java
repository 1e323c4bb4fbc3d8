package dev.superstep.engine.pool;

import java.time.Duration;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// Ends a wait that must not last for ever, without a timed wait.
///
/// The JDK has one thread that sees to the timed waits of all virtual threads, and wakes it when
/// one begins and once more when it ends. Nearly all waits for answers end long before their time
/// is up: a thousand agents had that thread wake 44,000 times in ten seconds, for a tenth of the
/// service's processor time. An alarm that is set and put off again wakes nobody.
public final class Deadline implements AutoCloseable {
  private static final ScheduledThreadPoolExecutor CLOCK = clock();

  private final Future<?> bell;

  private Deadline(Future<?> bell) {
    this.bell = bell;
  }

  private static ScheduledThreadPoolExecutor clock() {
    var clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("superstep-alarms").factory());
    clock.setRemoveOnCancelPolicy(true);
    clock.prestartAllCoreThreads();
    return clock;
  }

  /// @param ring is run once, unless the alarm is put off first; one thread rings for everybody, so
  ///   that it must not wait for anything
  public static Deadline in(Duration delay, Runnable ring) {
    return new Deadline(CLOCK.schedule(ring, delay.toNanos(), TimeUnit.NANOSECONDS));
  }

  /// Puts it off. It may be ringing at this moment.
  @Override
  public void close() {
    bell.cancel(false);
  }
}
