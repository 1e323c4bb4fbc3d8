package dev.superstep.fault;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// I12: a client that asks any replica for runs, again and again, and must never see one go
/// backwards.
final class PollingClient implements AutoCloseable {
  private static final Set<String> CANCELLING = Set.of("cancelling", "cancelled", "succeeded");

  private final Map<String, Seen> last = new ConcurrentHashMap<>();
  private final List<String> violations = new CopyOnWriteArrayList<>();
  private final Thread thread;
  private volatile boolean closed;

  record Seen(String status, long superstep, long checkpoint) {}

  PollingClient(Cluster cluster, Supplier<Set<String>> runs) {
    thread = Thread.ofVirtual().name("polling-client").unstarted(() -> poll(cluster, runs));
  }

  void start() {
    thread.start();
  }

  private void poll(Cluster cluster, Supplier<Set<String>> runs) {
    while (!closed) {
      for (var run : runs.get()) {
        var answer = cluster.tryGet("/v1/runs/" + run);
        if (answer.status() == 200) {
          see(
              run,
              new Seen(
                  answer.text("status"), answer.number("superstep"), answer.number("checkpoint")));
        }
        if (!pause()) {
          return;
        }
      }
      if (!pause()) {
        return;
      }
    }
  }

  private boolean pause() {
    try {
      Thread.sleep(10);
      return !closed;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Enters what was seen.
  void see(String run, Seen now) {
    var before = last.put(run, now);
    if (before != null && backwards(before, now)) {
      violations.add("I12 %s: %s is followed by %s".formatted(run, before, now));
    }
  }

  /// A takeover or a drain may queue a running run again (api.md); an ended one stays ended, one
  /// that is being cancelled ends, and nothing that was committed goes away.
  private static boolean backwards(Seen before, Seen now) {
    if (now.superstep() < before.superstep() || now.checkpoint() < before.checkpoint()) {
      return true;
    }
    return switch (before.status()) {
      case "succeeded", "cancelled" -> !now.status().equals(before.status());
      case "cancelling" -> !CANCELLING.contains(now.status());
      default -> false;
    };
  }

  List<String> violations() {
    return List.copyOf(violations);
  }

  @Nullable Seen lastOf(String run) {
    return last.get(run);
  }

  int seen() {
    return last.size();
  }

  @Override
  public void close() {
    closed = true;
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
