package dev.superstep.fault;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Looks, every few milliseconds, at runs that were given away and for how long nobody has taken
/// them.
final class HandoverWatch implements AutoCloseable {
  private final JdbcClient jdbc;
  private final Thread thread;
  private final Map<String, Long> since = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private long longestNanos;
  private volatile boolean closed;

  HandoverWatch(JdbcClient jdbc) {
    this.jdbc = jdbc;
    thread = Thread.ofVirtual().name("handover-watch").start(this::watch);
  }

  private void watch() {
    try {
      while (!closed) {
        look();
        Thread.sleep(20);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    var idle =
        jdbc.sql(
                """
                select id from run
                 where status = 'queued' and owner is null and started_at is not null
                """)
            .query((row, _) -> row.getString(1))
            .list();
    long now = System.nanoTime();
    for (var run : idle) {
      given.add(run);
      longestNanos = Math.max(longestNanos, now - since.computeIfAbsent(run, _ -> now));
    }
    since.keySet().retainAll(new HashSet<>(idle));
  }

  int handedOver() {
    return given.size();
  }

  Duration longest() {
    return Duration.ofNanos(longestNanos);
  }

  void stop() throws InterruptedException {
    closed = true;
    thread.join();
  }

  @Override
  public void close() {
    closed = true;
  }
}
