package dev.superstep.fault;

import dev.superstep.fault.Sightings.Seen;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// I12: a client that asks any replica for runs, again and again, and must never see one go
/// backwards.
final class PollingClient implements AutoCloseable {
  private final Sightings sightings = new Sightings();
  private final Thread thread;
  private volatile boolean closed;

  PollingClient(Cluster cluster, Supplier<Set<String>> runs) {
    thread = Thread.ofVirtual().name("polling-client").start(() -> poll(cluster, runs));
  }

  private void poll(Cluster cluster, Supplier<Set<String>> runs) {
    try {
      while (!closed) {
        for (var run : runs.get()) {
          look(cluster, run);
          Thread.sleep(10);
        }
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Cluster cluster, String run) {
    var answer = cluster.tryGet("/v1/runs/" + run);
    if (answer.status() == 200 && !closed) {
      sightings.see(
          run,
          new Seen(answer.text("status"), answer.number("superstep"), answer.number("checkpoint")));
    }
  }

  List<String> violations() {
    return sightings.violations();
  }

  @Override
  public void close() {
    stop();
  }

  /// Looks no more; what it has seen stays.
  void stop() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
