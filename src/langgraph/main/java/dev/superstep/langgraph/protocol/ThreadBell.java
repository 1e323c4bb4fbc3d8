package dev.superstep.langgraph.protocol;

import dev.superstep.langgraph.OnLangGraph;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.stereotype.Component;

/// Tells the streams of a thread at this replica that a command has begun something in it. Those of
/// others look for themselves.
@Component
@OnLangGraph
class ThreadBell {
  private final Map<String, Set<Semaphore>> waiting = new ConcurrentHashMap<>();

  /// One stream that listens.
  final class Listener implements AutoCloseable {
    private final String thread;
    private final Semaphore rung = new Semaphore(0);

    private Listener(String thread) {
      this.thread = thread;
    }

    /// Returns when the bell has rung since the last time, or after `atMost`.
    void await(Duration atMost) throws InterruptedException {
      if (rung.tryAcquire(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
        int _ = rung.drainPermits();
      }
    }

    @Override
    public void close() {
      waiting.computeIfPresent(
          thread,
          (_, all) -> {
            all.remove(rung);
            return all.isEmpty() ? null : all;
          });
    }
  }

  Listener listen(String thread) {
    var listener = new Listener(thread);
    waiting.compute(
        thread,
        (_, all) -> {
          var now = all == null ? ConcurrentHashMap.<Semaphore>newKeySet() : all;
          now.add(listener.rung);
          return now;
        });
    return listener;
  }

  void ring(String thread) {
    waiting.getOrDefault(thread, Set.of()).forEach(Semaphore::release);
  }
}
