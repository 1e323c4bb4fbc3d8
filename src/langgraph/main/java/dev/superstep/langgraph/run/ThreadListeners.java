package dev.superstep.langgraph.run;

import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.langgraph.run.ThreadParts.Position;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The streams of threads at this replica that wait for runs. They are signalled at once when a
/// command here begins one, and within some two seconds when another replica, or another API, does:
/// for that, one of the streams that wait polls the database on behalf of all.
@Component
@OnLangGraph
class ThreadListeners {
  /// How often the database is polled, however many streams wait.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ThreadParts parts;
  private final Map<String, Set<Listener>> waiting = new ConcurrentHashMap<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile long lookAt = System.nanoTime();

  ThreadListeners(ThreadParts parts) {
    this.parts = parts;
  }

  /// One stream that listens.
  final class Listener implements AutoCloseable {
    private final String thread;
    private final Semaphore signals = new Semaphore(0);

    /// Where it waits; null while it is busy.
    private volatile @Nullable Position position;

    private Listener(String thread) {
      this.thread = thread;
    }

    /// Returns when there was a signal since the last time, or after a while.
    ///
    /// @return whether there was one
    boolean await(long ordinal, long seq) throws InterruptedException {
      position = new Position(thread, ordinal, seq);
      try {
        if (!signals.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
          look();
          return signals.drainPermits() > 0;
        }
        int _ = signals.drainPermits();
        return true;
      } finally {
        position = null;
      }
    }

    @Override
    public void close() {
      waiting.computeIfPresent(
          thread,
          (_, all) -> {
            all.remove(this);
            return all.isEmpty() ? null : all;
          });
    }
  }

  Listener listen(String thread) {
    var listener = new Listener(thread);
    waiting.compute(
        thread,
        (_, all) -> {
          var now = all == null ? ConcurrentHashMap.<Listener>newKeySet() : all;
          now.add(listener);
          return now;
        });
    return listener;
  }

  void signal(String thread) {
    waiting.getOrDefault(thread, Set.of()).forEach(it -> it.signals.release());
  }

  /// One at a time: a database that hangs holds one stream, and not one more every second.
  private void look() {
    if (System.nanoTime() - lookAt < 0 || !looking.compareAndSet(false, true)) {
      return;
    }
    try {
      var positions =
          waiting.values().stream()
              .flatMap(Set::stream)
              .flatMap(it -> Stream.ofNullable(it.position))
              .toList();
      parts.haveRunsBehind(positions).forEach(this::signal);
    } finally {
      lookAt = System.nanoTime() + LOOK.toNanos();
      looking.set(false);
    }
  }
}
