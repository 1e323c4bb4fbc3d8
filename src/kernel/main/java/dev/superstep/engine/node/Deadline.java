package dev.superstep.engine.node;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// Ends a wait that must not last for ever, without a timed wait.
///
/// The JDK has one thread for the timed waits of all virtual threads, and wakes it when one begins
/// and once more when it ends. Nearly all waits for answers end long before their time is up: a
/// thousand agents had that thread wake 44,000 times in ten seconds, for a tenth of the service's
/// processor time. A timer of an executor is no better where it is the earliest, as it always is
/// when few are set. So deadlines are only noted: those that are due soon are looked at when the
/// first of them is due, closed as it may be by then, and the others once a second. One that is set
/// and closed wakes a thread only if none was to look before it is due.
public final class Deadline implements AutoCloseable {
  private static final ScheduledThreadPoolExecutor CLOCK = clock();
  private static final long LOOK = Duration.ofSeconds(1).toNanos();

  /// Twice as far as the next look, which may be late.
  private static final long SOON = 2 * LOOK;

  private static final long NEVER = Long.MAX_VALUE;
  private static final long ORIGIN = System.nanoTime();

  static final Set<Deadline> SOONER = ConcurrentHashMap.newKeySet();
  static final Set<Deadline> LATER = ConcurrentHashMap.newKeySet();

  /// When those that are due soon are looked at next.
  private static final AtomicLong NEXT = new AtomicLong(NEVER);

  private static final AtomicBoolean LOOKS = new AtomicBoolean();

  private final long at;
  private final Runnable expire;
  private volatile boolean closed;

  private Deadline(long at, Runnable expire) {
    this.at = at;
    this.expire = expire;
  }

  private static ScheduledThreadPoolExecutor clock() {
    var clock =
        new ScheduledThreadPoolExecutor(
            1, Thread.ofPlatform().daemon().name("superstep-deadlines").factory());
    clock.prestartAllCoreThreads();
    return clock;
  }

  private static long now() {
    return System.nanoTime() - ORIGIN;
  }

  /// @param expire is run once, unless the deadline is closed first; one thread runs all of them,
  ///   so it must not block
  public static Deadline in(Duration delay, Runnable expire) {
    long now = now();
    var deadline = new Deadline(now + delay.toNanos(), expire);
    if (!deadline.isNotedIfSoon(now)) {
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
    long now = now();
    LATER.removeIf(it -> it.isNotedIfSoon(now));
    lookAgain();
  }

  private boolean isNotedIfSoon(long now) {
    if (at - now >= SOON) {
      return false;
    }
    SOONER.add(this);
    if (closed) {
      SOONER.remove(this);
    } else {
      ringBy(at);
    }
    return true;
  }

  private static void ringBy(long at) {
    long next = NEXT.get();
    while (at < next) {
      if (NEXT.compareAndSet(next, at)) {
        var _ = CLOCK.schedule(Deadline::ring, at - now(), TimeUnit.NANOSECONDS);
        return;
      }
      next = NEXT.get();
    }
  }

  private static void ring() {
    NEXT.set(NEVER);
    long now = now();
    long next = NEVER;
    for (var deadline : SOONER) {
      if (deadline.at > now) {
        next = Math.min(next, deadline.at);
      } else {
        CLOCK.execute(deadline::expire);
      }
    }
    ringBy(next);
  }

  private void expire() {
    if (SOONER.remove(this)) {
      expire.run();
    }
  }

  /// Cancels the deadline. It may be expiring at this moment.
  @Override
  public void close() {
    closed = true;
    SOONER.remove(this);
    LATER.remove(this);
  }
}
