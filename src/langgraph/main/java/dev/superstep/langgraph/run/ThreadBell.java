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

/// Tells the streams of threads at this replica that something has begun in one: at once what a
/// command here has begun, within some two seconds what another replica, or another API, has. For
/// that, one of the streams that wait asks the database on behalf of all.
@Component
@OnLangGraph
class ThreadBell {
  /// How often the database is asked, however many streams wait.
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final ThreadParts parts;
  private final Map<String, Set<Listener>> waiting = new ConcurrentHashMap<>();
  private final AtomicBoolean looking = new AtomicBoolean();
  private volatile long lookAt = System.nanoTime();

  ThreadBell(ThreadParts parts) {
    this.parts = parts;
  }

  /// One stream that listens.
  final class Listener implements AutoCloseable {
    private final String thread;
    private final Semaphore rung = new Semaphore(0);

    /// Where it waits; null while it is busy.
    private volatile @Nullable Position position;

    private Listener(String thread) {
      this.thread = thread;
    }

    /// Returns when the bell has rung since the last time, or after a while.
    ///
    /// @return whether it has rung
    boolean await(long ordinal, long seq) throws InterruptedException {
      position = new Position(thread, ordinal, seq);
      try {
        if (!rung.tryAcquire(LOOK.toMillis(), TimeUnit.MILLISECONDS)) {
          look();
          return rung.drainPermits() > 0;
        }
        int _ = rung.drainPermits();
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

  void ring(String thread) {
    waiting.getOrDefault(thread, Set.of()).forEach(it -> it.rung.release());
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
      parts.haveRunsBehind(positions).forEach(this::ring);
    } finally {
      lookAt = System.nanoTime() + LOOK.toNanos();
      looking.set(false);
    }
  }
}
