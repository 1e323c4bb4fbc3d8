package dev.superstep.testing;

import java.time.Duration;
import java.util.function.LongSupplier;

/// What the tests of one definition may take together.
final class TestBudget {
  static final Duration TIME = Duration.ofSeconds(20);
  private static final int CALLS_MAX = 100_000;

  private final LongSupplier nanos;
  private final long begun;
  private int calls;

  /// @param nanos as of [System#nanoTime]
  TestBudget(LongSupplier nanos) {
    this.nanos = nanos;
    this.begun = nanos.getAsLong();
  }

  /// Counts a call of a node.
  void call() {
    calls++;
    check();
  }

  /// @throws TestStoppedException if it is used up, or the caller no longer waits
  void check() {
    if (Thread.currentThread().isInterrupted()) {
      throw new TestStoppedException("the test was interrupted");
    }
    if (calls > CALLS_MAX) {
      throw new TestStoppedException(
          "the tests of a definition may call nodes %d times together".formatted(CALLS_MAX));
    }
    if (nanos.getAsLong() - begun > TIME.toNanos()) {
      throw new TestStoppedException(
          "the tests of a definition may take %d s together".formatted(TIME.toSeconds()));
    }
  }
}
