package dev.superstep.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.function.LongSupplier;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// The database's clock, as far as this process can know it without asking: what the database said,
/// plus the time since then by `nanoTime`. The wall clock of the machine has no part in it, so that
/// setting it changes nothing.
///
/// The database has read its clock somewhere between question and answer. The answer that took the
/// shortest is believed, until the error that its age adds is greater than that of a new answer: a
/// late answer of a busy machine does not move the clock. An answer that no error explains does.
@Component
public final class DatabaseClock implements InstantSource {
  /// Two clocks drift apart by at most one part in this many.
  private static final long DRIFT = 2_000;

  private final LongSupplier nanos;
  private volatile ClockReading answer;

  /// @param at the database's time
  /// @param readNanos when the database has read it, half-way between question and answer
  /// @param errorNanos by which that may be wrong
  private record ClockReading(Instant at, long readNanos, long errorNanos) {
    Instant then(long now) {
      return at.plusNanos(now - readNanos);
    }

    long error(long now) {
      return errorNanos + (now - readNanos) / DRIFT;
    }

    boolean agreesWith(ClockReading other, long now) {
      var apart = Duration.between(then(now), other.then(now)).abs();
      return apart.compareTo(Duration.ofNanos(error(now) + other.error(now))) <= 0;
    }
  }

  @Autowired
  DatabaseClock(JdbcClient jdbc) {
    this(
        () -> jdbc.sql("select clock_timestamp()").query(Instant.class).single(), System::nanoTime);
  }

  DatabaseClock(InstantSource database, LongSupplier nanos) {
    this.nanos = nanos;
    long sent = nanos.getAsLong();
    answer = answer(sent, database.instant(), nanos.getAsLong());
  }

  private static ClockReading answer(long sent, Instant there, long received) {
    long half = (received - sent) / 2;
    return new ClockReading(there, sent + half, half);
  }

  /// In microseconds, as the database keeps it.
  @Override
  public Instant instant() {
    return answer.then(nanos.getAsLong()).truncatedTo(ChronoUnit.MICROS);
  }

  /// By the clock that measures durations, for [#adjust].
  public long nanos() {
    return nanos.getAsLong();
  }

  /// Takes over what the database has answered just now.
  ///
  /// @param sent when it was asked, by [#nanos]
  /// @param there its time
  public synchronized void adjust(long sent, Instant there) {
    long now = nanos.getAsLong();
    var next = answer(sent, there, now);
    if (next.errorNanos() <= answer.error(now) || !next.agreesWith(answer, now)) {
      answer = next;
    }
  }
}
