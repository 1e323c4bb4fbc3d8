package dev.superstep.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// For how long an attempt has waited for the store, with however many threads. It is no time of
/// the node.
final class WaitedTime {
  private final InstantSource clock;
  private int waiters;
  private Instant since = Instant.EPOCH;
  private Duration waited = Duration.ZERO;

  WaitedTime(InstantSource clock) {
    this.clock = clock;
  }

  /// A thread begins to wait.
  void begin() {
    change(1);
  }

  /// It waits no longer.
  void end() {
    change(-1);
  }

  private synchronized void change(int more) {
    var now = clock.instant();
    if (waiters > 0) {
      waited = waited.plus(Duration.between(since, now));
    }
    since = now;
    waiters += more;
  }

  synchronized Duration soFar() {
    return waiters == 0 ? waited : waited.plus(Duration.between(since, clock.instant()));
  }
}
