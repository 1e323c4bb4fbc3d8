package dev.superstep.checkpoint.jdbc;

import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.database.LoggedFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Retries while the database is away or refuses to write, for a bounded time: drivers write the
/// outcomes of calls that must not be repeated because of it. The thread is interrupted when the
/// run is no longer driven here. An attempt must itself find out whether an earlier one has taken
/// effect.
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

  /// @throws StoreUnavailableException when the patience is over, or the thread is interrupted
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
          "Writes that the database refuses are retried for as long as it does; one of them: {}:"
              + " {}",
          what,
          new LoggedFailure(failure));
    }
    log.debug("{} is retried in {}", what, pause, failure);
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
