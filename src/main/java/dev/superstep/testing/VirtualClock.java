package dev.superstep.testing;

import java.time.Instant;
import java.time.InstantSource;

/// The time of one test. It stands still but for waits. Confined to one thread.
final class VirtualClock implements InstantSource {
  private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");
  private Instant now = BEGIN;

  @Override
  public Instant instant() {
    return now;
  }

  /// Never goes back.
  void advanceTo(Instant then) {
    now = then.isAfter(now) ? then : now;
  }
}
