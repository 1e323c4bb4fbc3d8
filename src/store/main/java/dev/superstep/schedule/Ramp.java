package dev.superstep.schedule;

import java.time.Duration;
import java.util.function.LongSupplier;

/// Lets work begin again bit by bit after the database was away. Everything that became due
/// meanwhile is due at once then: claims that load their runs, and calls of nodes that waited for
/// the lease. As a crowd they would take the database, and the services that nodes call, away
/// again.
///
/// In the first second [#FIRST] may begin, in each further one twice as many in all; after
/// [#LENGTH] there is no limit any more.
public final class Ramp {
  static final int FIRST = 16;
  static final Duration LENGTH = Duration.ofSeconds(10);

  private static final Duration STEP = Duration.ofSeconds(1);

  private final DatabaseContact contact;
  private final LongSupplier nanos;
  private long outage;
  private long begun;

  public Ramp(DatabaseContact contact, LongSupplier nanos) {
    this.contact = contact;
    this.nanos = nanos;
  }

  /// Whether one more may begin now; if so, it counts.
  public boolean admits() {
    var end = contact.gapEnd();
    return end.isEmpty() || admits(end.getAsLong(), nanos.getAsLong() - end.getAsLong());
  }

  private boolean admits(long gapEnd, long since) {
    if (since > LENGTH.toNanos()) {
      return true;
    }
    synchronized (this) {
      if (outage != gapEnd) {
        outage = gapEnd;
        begun = 0;
      }
      boolean admitted = begun < (long) FIRST << (since / STEP.toNanos());
      begun += admitted ? 1 : 0;
      return admitted;
    }
  }
}
