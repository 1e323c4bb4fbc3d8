package dev.superstep.testing;

import java.time.Instant;
import java.time.InstantSource;

/// The time of one test. It stands still but for waits. Confined to one thread.
public final class VirtualClock implements InstantSource {
  /// When tests begin.
  public static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

  private Instant now;

  public VirtualClock(Instant begin) {
    this.now = begin;
  }

  @Override
  public Instant instant() {
    return now;
  }

  /// Never goes back.
  void advanceTo(Instant then) {
    now = then.isAfter(now) ? then : now;
  }
}
