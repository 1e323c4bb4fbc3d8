package dev.superstep.checkpoint;

import dev.superstep.database.LoggedFailure;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;

/// Retries while the database is away or refuses to write, for a bounded time: drivers write the
/// outcomes of calls that must not be repeated because of it. The thread is interrupted when the
/// run is no longer driven here. An attempt must itself find out whether an earlier one has taken
/// effect.
public final class Retries {
  private static final Logger log = LoggerFactory.getLogger(Retries.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration REMINDER = Duration.ofSeconds(30);

  /// The library takes zero for a time without an end.
  private static final Duration LEAST_PATIENCE = Duration.ofMillis(1);

  private static final long NEVER = 0;
  private final AtomicLong lastWarned = new AtomicLong(NEVER);
  private final RetryTemplate template;

  public Retries(Duration patience) {
    template =
        new RetryTemplate(
            RetryPolicy.builder()
                .includes(RefusedConnection.class)
                .maxRetries(Long.MAX_VALUE)
                .timeout(patience.isZero() ? LEAST_PATIENCE : patience)
                .delay(FIRST_PAUSE)
                .multiplier(2)
                .maxDelay(LONGEST_PAUSE)
                .build());
  }

  /// @throws StoreUnavailableException when the patience is over, or the thread is interrupted
  public <T> T run(Supplier<String> what, Supplier<T> attempt) {
    var latest = new AtomicReference<@Nullable RuntimeException>();
    try {
      return template.invoke(() -> unlessRefused(what, attempt, latest));
    } catch (RefusedConnection _) {
      throw new StoreUnavailableException(what.get() + ": the database stayed away", latest.get());
    }
  }

  private <T> T unlessRefused(
      Supplier<String> what,
      Supplier<T> attempt,
      AtomicReference<@Nullable RuntimeException> latest) {
    try {
      return attempt.get();
    } catch (RuntimeException e) {
      if (!Outage.caused(e)) {
        throw e;
      }
      latest.set(e);
      warn(what, e);
      throw new RefusedConnection();
    }
  }

  /// A full disk refuses the writes of all runs that are driven here.
  private void warn(Supplier<String> what, RuntimeException failure) {
    long now = System.nanoTime();
    long last = lastWarned.get();
    if ((last == NEVER || now - last > REMINDER.toNanos()) && lastWarned.compareAndSet(last, now)) {
      log.warn(
          "Writes that the database refuses are retried for as long as it does; one of them: {}:"
              + " {}",
          what.get(),
          new LoggedFailure(failure));
    }
    log.atDebug().setCause(failure).log(() -> what.get() + " is retried");
  }

  /// Stands for an outage. The template keeps the failures of all attempts until the last one; with
  /// their stacks, those of an hour and of many runs would fill the memory.
  private static final class RefusedConnection extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedConnection() {
      super("the database is away or refuses to write", null, false, false);
    }
  }
}
