package dev.superstep.run;

import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/// Tells waiting threads that something of a run has been committed by this process.
@Component
class Signals {
  private final ConcurrentHashMap<String, Set<Semaphore>> waiting = new ConcurrentHashMap<>();
  private final InstantSource clock = InstantSource.system();
  private volatile boolean closed;

  void signal(String run) {
    waiting.getOrDefault(run, Set.of()).forEach(Semaphore::release);
  }

  /// Waits until `reached`, looking after every signal and at least once per `poll`; gives up after
  /// `atMost`, or when the server stops.
  void await(String run, BooleanSupplier reached, Duration atMost, Duration poll)
      throws InterruptedException {
    var signal = new Semaphore(0);
    var deadline = clock.instant().plus(atMost);
    add(run, signal);
    try {
      while (!closed && !reached.getAsBoolean()) {
        var left = Duration.between(clock.instant(), deadline);
        if (!left.isPositive()) {
          return;
        }
        var pause = left.compareTo(poll) < 0 ? left : poll;
        if (signal.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
          signal.drainPermits();
        }
      }
    } finally {
      remove(run, signal);
    }
  }

  private void add(String run, Semaphore signal) {
    waiting.compute(
        run,
        (_, signals) -> {
          var all = signals == null ? ConcurrentHashMap.<Semaphore>newKeySet() : signals;
          all.add(signal);
          return all;
        });
  }

  private void remove(String run, Semaphore signal) {
    waiting.computeIfPresent(
        run,
        (_, signals) -> {
          signals.remove(signal);
          return signals.isEmpty() ? null : signals;
        });
  }

  /// Lets everybody go.
  @PreDestroy
  void close() {
    closed = true;
    waiting.values().forEach(signals -> signals.forEach(Semaphore::release));
  }

  Instant now() {
    return clock.instant();
  }
}
