package dev.superstep.testing;

import dev.superstep.engine.port.Inbox;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/// The inbox of a driver that shares its thread with the attempts: when nothing is in it nothing
/// runs, so that time may pass.
final class VirtualInbox implements Inbox {
  private final Queue<Signal> signals = new ConcurrentLinkedQueue<>();
  private final VirtualClock clock;
  private final BooleanSupplier answering;

  /// @param answering answers open questions, if the test has answers; people are quicker than time
  VirtualInbox(VirtualClock clock, BooleanSupplier answering) {
    this.clock = clock;
    this.answering = answering;
  }

  /// A side effect is stored at once: the attempt that waits for it may be on the thread that would
  /// take the signal.
  @Override
  public void put(Signal signal) {
    if (signal instanceof Signal.SideEffect sideEffect) {
      sideEffect.stored().run();
    }
    signals.add(signal);
  }

  @Override
  public Optional<Signal> poll() {
    return Optional.ofNullable(signals.poll());
  }

  @Override
  public Optional<Signal> take(Optional<Instant> until) {
    var signal = poll();
    if (signal.isPresent()) {
      return signal;
    }
    if (answering.getAsBoolean()) {
      return Optional.of(new Signal.Nudge());
    }
    clock.advanceTo(
        until.orElseThrow(() -> new IllegalStateException("nothing runs, and nothing is due")));
    return Optional.empty();
  }
}
