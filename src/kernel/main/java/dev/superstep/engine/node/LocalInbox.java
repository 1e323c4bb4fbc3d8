package dev.superstep.engine.node;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;

/// An inbox in memory. It never holds more than one signal per running task and a few hints of
/// other threads.
public final class LocalInbox implements Inbox {
  /// An expired deadline puts an empty element.
  private final LinkedBlockingQueue<Optional<Signal>> signals = new LinkedBlockingQueue<>();

  private final InstantSource clock;

  public LocalInbox(InstantSource clock) {
    this.clock = clock;
  }

  @Override
  public void put(Signal signal) {
    signals.add(Optional.of(signal));
  }

  @Override
  public Optional<Signal> poll() throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    return next();
  }

  @Override
  public Optional<Signal> take(Optional<Instant> until) throws InterruptedException {
    var here = poll();
    if (here.isPresent()) {
      return here;
    }
    var left = until.map(it -> Duration.between(clock.instant(), it));
    if (left.isPresent() && !left.get().isPositive()) {
      return Optional.empty();
    }
    try (var _ = WorkPermits.releaseForSibling()) {
      return left.isPresent() ? await(left.get()) : signals.take();
    }
  }

  private Optional<Signal> await(Duration left) throws InterruptedException {
    try (var _ = Deadline.in(left, this::expire)) {
      return signals.take();
    }
  }

  /// Wakes the waiting driver to check the time.
  void expire() {
    signals.add(Optional.empty());
  }

  /// A signal that is here already. Late deadlines are skipped.
  private Optional<Signal> next() {
    var found = signals.poll();
    while (found != null && found.isEmpty()) {
      found = signals.poll();
    }
    return found == null ? Optional.empty() : found;
  }
}
