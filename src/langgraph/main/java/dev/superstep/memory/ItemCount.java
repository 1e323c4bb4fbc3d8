package dev.superstep.memory;

import java.time.Duration;
import java.util.function.LongSupplier;

/// How many items there are, about: counted now and then, so that counting takes a small part of
/// the time, plus what this replica has written since.
final class ItemCount {
  private static final Duration AGE_MAX = Duration.ofMinutes(1);

  /// Counting takes at most this part of the time.
  private static final int COSTS_MAX = 20;

  private final LongSupplier counter;
  private final LongSupplier nanos;
  private long known = -1;
  private long countedAt;
  private long cost;

  ItemCount(LongSupplier counter, LongSupplier nanos) {
    this.counter = counter;
    this.nanos = nanos;
  }

  /// Whether one more may be written; it counts from now on.
  synchronized boolean admits(long max) {
    long age = nanos.getAsLong() - countedAt;
    boolean old = age > Math.max(AGE_MAX.toNanos(), COSTS_MAX * cost);
    if (known < 0 || old || (known >= max && age > COSTS_MAX * cost)) {
      recount();
    }
    if (known >= max) {
      return false;
    }
    known++;
    return true;
  }

  private void recount() {
    long begun = nanos.getAsLong();
    known = counter.getAsLong();
    countedAt = nanos.getAsLong();
    cost = countedAt - begun;
  }
}
