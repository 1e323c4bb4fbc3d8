package dev.superstep.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// An inbox in memory. It never holds more than one signal per running task and the few hints from
/// outside.
public final class LocalInbox implements Inbox {
  private final LinkedBlockingQueue<Signal> signals = new LinkedBlockingQueue<>();
  private final InstantSource clock;

  public LocalInbox(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void put(Signal signal) {
    signals.add(signal);
  }

  @Override
  public Optional<Signal> take(Optional<Instant> until) throws InterruptedException {
    if (until.isEmpty()) {
      return Optional.of(signals.take());
    }
    var nanos = Duration.between(clock.instant(), until.get()).toNanos();
    return Optional.ofNullable(signals.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS));
  }
}
