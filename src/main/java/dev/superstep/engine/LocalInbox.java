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
    try (var _ = Foreground.aside()) {
      return until.isEmpty() ? Optional.of(signals.take()) : poll(until.get());
    }
  }

  private Optional<Signal> poll(Instant until) throws InterruptedException {
    var nanos = Duration.between(clock.instant(), until).toNanos();
    return Optional.ofNullable(signals.poll(Math.max(0, nanos), TimeUnit.NANOSECONDS));
  }
}
