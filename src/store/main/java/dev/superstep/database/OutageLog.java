package dev.superstep.database;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Logs when the database goes away, periodically that it is still away, and when it is back. Other
/// log lines about the outage are suppressed, see [OutageFilter].
public final class OutageLog {
  private static final Logger log = LoggerFactory.getLogger(OutageLog.class);
  private static final Duration REMINDER = Duration.ofSeconds(30);

  private final LongSupplier nanos;
  private @Nullable Long since;
  private long lastSaid;

  OutageLog(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// The database has not answered.
  public synchronized void failed(Throwable failure) {
    long now = nanos.getAsLong();
    if (since == null) {
      since = now;
      lastSaid = now;
      log.warn(
          "The database does not answer. Nothing new begins here; everything is tried again until"
              + " it does: {}",
          new LoggedFailure(failure).toString());
    } else if (now - lastSaid >= REMINDER.toNanos()) {
      lastSaid = now;
      log.warn(
          "The database has not answered for {} s: {}",
          seconds(now - since),
          new LoggedFailure(failure).toString());
    }
  }

  /// The database has answered.
  public synchronized void answered() {
    if (since != null) {
      log.info("The database answers again after {} s", seconds(nanos.getAsLong() - since));
      since = null;
    }
  }

  private static long seconds(long nanos) {
    return Duration.ofNanos(nanos).toSeconds();
  }

  /// Whether the database is away.
  synchronized boolean lasts() {
    return since != null;
  }
}
