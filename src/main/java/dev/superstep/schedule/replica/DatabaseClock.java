package dev.superstep.schedule.replica;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// An estimate of the database's clock: the local one plus the measured offset, so that due times
/// mean the same on every replica.
@Component
public final class DatabaseClock implements InstantSource {
  private final InstantSource local;
  private volatile Duration offset = Duration.ZERO;

  @Autowired
  DatabaseClock(JdbcClient jdbc) {
    this(jdbc, InstantSource.system());
  }

  DatabaseClock(JdbcClient jdbc, InstantSource local) {
    this.local = local;
    var sent = local.instant();
    var there = jdbc.sql("select clock_timestamp()").query(Instant.class).single();
    adjust(sent, there);
  }

  @Override
  public Instant instant() {
    return local.instant().plus(offset);
  }

  public Instant local() {
    return local.instant();
  }

  /// Takes `there` for the database's time half-way between `sent` and now.
  public void adjust(Instant sent, Instant there) {
    var roundTrip = Duration.between(sent, local.instant());
    offset = Duration.between(sent.plus(roundTrip.dividedBy(2)), there);
  }
}
