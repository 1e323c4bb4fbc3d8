package dev.superstep.run.stream;

import jakarta.annotation.PreDestroy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.springframework.stereotype.Component;

/// Notifies waiting threads that this process has committed something of a run.
@Component
public class CommitNotifier {
  private final RemoteWatches remoteWatches;
  private final Waiting forEvents = new Waiting();
  private final Waiting forRest = new Waiting();
  private volatile boolean closed;

  CommitNotifier(RemoteWatches remoteWatches) {
    this.remoteWatches = remoteWatches;
  }

  /// The run has committed something, and continues.
  public void signal(String run) {
    forEvents.wake(run);
    remoteWatches.moved(run);
  }

  /// The run may have come to rest.
  public void rested(String run) {
    notify(run);
    remoteWatches.moved(run);
  }

  /// Another process has committed something of the run.
  public void notify(String run) {
    forEvents.wake(run);
    forRest.wake(run);
  }

  /// What a thread waits for.
  public enum About {
    /// Anything that is stored about the run.
    EVENTS,
    /// The run coming to rest.
    REST
  }

  private Waiting waiting(About about) {
    return switch (about) {
      case EVENTS -> forEvents;
      case REST -> forRest;
    };
  }

  /// Waits until `reached`, checking after every signal and at the given pace; gives up after
  /// `atMost`, or when the server stops.
  public void await(Awaited awaited, BooleanSupplier reached, Duration atMost, Pace pace)
      throws InterruptedException {
    var signal = new Semaphore(0);
    long begun = System.nanoTime();
    waiting(awaited.about()).add(awaited.run(), signal);
    try {
      while (!closed && !reached.getAsBoolean()) {
        var left = atMost.minusNanos(System.nanoTime() - begun);
        if (!left.isPositive()) {
          return;
        }
        var poll = pace.next();
        var pause = left.compareTo(poll) < 0 ? left : poll;
        if (signal.tryAcquire(pause.toNanos(), TimeUnit.NANOSECONDS)) {
          signal.drainPermits();
        }
      }
    } finally {
      waiting(awaited.about()).remove(awaited.run(), signal);
    }
  }

  public record Awaited(String run, About about) {}

  /// How long to wait for a signal before checking anyway.
  @FunctionalInterface
  public interface Pace {
    Duration next();
  }

  /// Releases all waiting threads.
  @PreDestroy
  public void close() {
    closed = true;
    forEvents.wakeAll();
    forRest.wakeAll();
  }

  private static final class Waiting {
    private final ConcurrentHashMap<String, Set<Semaphore>> byRun = new ConcurrentHashMap<>();

    void wake(String run) {
      byRun.getOrDefault(run, Set.of()).forEach(Semaphore::release);
    }

    void wakeAll() {
      byRun.values().forEach(semaphores -> semaphores.forEach(Semaphore::release));
    }

    void add(String run, Semaphore signal) {
      byRun.compute(
          run,
          (_, semaphores) -> {
            var all = semaphores == null ? ConcurrentHashMap.<Semaphore>newKeySet() : semaphores;
            all.add(signal);
            return all;
          });
    }

    void remove(String run, Semaphore signal) {
      byRun.computeIfPresent(
          run,
          (_, semaphores) -> {
            semaphores.remove(signal);
            return semaphores.isEmpty() ? null : semaphores;
          });
    }
  }
}
