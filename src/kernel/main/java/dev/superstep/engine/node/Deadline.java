package dev.superstep.engine.node;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// Ends a wait that must not last for ever, without a timed wait.
///
/// The JDK has one thread for the timed waits of all virtual threads, and wakes it when one begins
/// and once more when it ends. Nearly all waits for answers end long before their time is up: a
/// thousand agents had that thread wake 44,000 times in ten seconds, for a tenth of the service's
/// processor time. A timer of an executor is no better where it is the earliest, as it always is
/// when few are set. So whatever is not due soon is only noted, and looked at once a second: a
/// deadline that is set and closed wakes no thread.
public final class Deadline implements AutoCloseable {
  private static final ScheduledThreadPoolExecutor CLOCK = clock();
  private static final long LOOK = Duration.ofSeconds(1).toNanos();

  /// Twice as far as the next look, which may be late.
  private static final long SOON = 2 * LOOK;

  /// Those that are not due soon.
  static final Set<Deadline> LATER = ConcurrentHashMap.newKeySet();

  private static final AtomicBoolean LOOKS = new AtomicBoolean();

  private final long at;
  private final Runnable expire;
  private @Nullable Future<?> timer;
  private boolean closed;

  private Deadline(long at, Runnable expire) {
    this.at = at;
    this.expire = expire;
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
    long now = System.nanoTime();
    var deadline = new Deadline(now + delay.toNanos(), expire);
    if (!deadline.setIfSoon(now)) {
      LATER.add(deadline);
      lookAgain();
    }
    return deadline;
  }

  private static void lookAgain() {
    if (!LATER.isEmpty() && LOOKS.compareAndSet(false, true)) {
      var _ = CLOCK.schedule(Deadline::look, LOOK, TimeUnit.NANOSECONDS);
    }
  }

  private static void look() {
    LOOKS.set(false);
    long now = System.nanoTime();
    LATER.removeIf(it -> it.setIfSoon(now));
    lookAgain();
  }

  /// Sets the timer if it is due soon.
  private synchronized boolean setIfSoon(long now) {
    long left = at - now;
    if (left < SOON && !closed) {
      timer = CLOCK.schedule(expire, left, TimeUnit.NANOSECONDS);
    }
    return left < SOON;
  }

  /// Cancels the deadline. It may be expiring at this moment.
  @Override
  public synchronized void close() {
    closed = true;
    LATER.remove(this);
    if (timer != null) {
      timer.cancel(false);
    }
  }
}
