package dev.superstep.checkpoint.jdbc;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.database.LoggedFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Tries again while the database is away or refuses to write, for a bounded time: what a driver
/// writes are outcomes of calls that must not be made again for it. The thread is interrupted when
/// the run is no longer driven here. What is tried must find out by itself whether an earlier try
/// has taken effect.
public final class Retries {
  private static final Logger log = LoggerFactory.getLogger(Retries.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration REMINDER = Duration.ofSeconds(30);
  private static final long NEVER = 0;
  private final AtomicLong lastWarned = new AtomicLong(NEVER);
  private final Duration patience;

  public Retries(Duration patience) {
    this.patience = patience;
  }

  /// @throws StoreUnavailableException when patience is at an end, or the thread is interrupted
  public <T> T run(Supplier<String> what, Supplier<T> attempt) {
    var deadline = System.nanoTime() + patience.toNanos();
    var pause = FIRST_PAUSE;
    while (true) {
      try {
        return attempt.get();
      } catch (RuntimeException e) {
        if (!Outage.caused(e)) {
          throw e;
        }
        if (System.nanoTime() - deadline >= 0) {
          throw unavailable(what.get(), e);
        }
        warn(what.get(), pause, e);
        sleep(what.get(), pause, e);
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
                ? pause.multipliedBy(2)
                : LONGEST_PAUSE;
      }
    }
  }

  /// A full disk refuses the writes of all runs that are driven here.
  private void warn(String what, Duration pause, RuntimeException failure) {
    long now = System.nanoTime();
    long last = lastWarned.get();
    if ((last == NEVER || now - last > REMINDER.toNanos()) && lastWarned.compareAndSet(last, now)) {
      log.warn(
          "Writes that the database refuses are tried again, as long as it does; one of them: {}:"
              + " {}",
          what,
          new LoggedFailure(failure));
    }
    log.debug("{} is tried again in {}", what, pause, failure);
  }

  private static void sleep(String what, Duration pause, RuntimeException failure) {
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unavailable(what, failure);
    }
  }

  private static StoreUnavailableException unavailable(String what, RuntimeException failure) {
    return new StoreUnavailableException(what + ": the database stayed away", failure);
  }
}
