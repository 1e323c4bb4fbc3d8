package dev.superstep.bench;

import dev.superstep.bench.WorkloadGraphs.Purity;
import dev.superstep.json.Json;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.regex.Pattern;

/// W2 with three replicas on one database, one of them killed midway. Workers sleep 20 ms, so that
/// there is a midway.
final class ReplicaWorkload {
  private static final int REPLICAS = 3;
  private static final int WIDTH = 10_000;
  private static final long POLL_MS = 50;
  private static final double RUN_MAX_SECONDS = 120;
  private static final Pattern ID = Pattern.compile("\"id\"\\s*:\\s*\"([^\"]+)\"");
  private final Bench bench;
  private final List<ServiceChild> replicas = new ArrayList<>();

  ReplicaWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    var database = bench.freshDatabase();
    try {
      fill(database);
      try (var line = new HttpLine(replicas.getFirst().url())) {
        var graph = WorkloadGraphs.fanOut("w2-blink", "benchBlinkWork", Purity.EFFECTFUL);
        line.postYaml("/v1/graphs", graph).orThrow();
      }
      undisturbed();
      bench.repeat(
          "W2 on three replicas",
          () -> {
            double calm = undisturbed();
            double killed = killed(calm / 2);
            fill(database);
            report(calm, killed);
          });
    } finally {
      for (var replica : replicas) {
        replica.close();
      }
    }
  }

  private void fill(Sql database) throws Exception {
    while (replicas.size() < REPLICAS) {
      replicas.add(
          ServiceChild.start(database, bench.options().output(), "replica-" + replicas.size()));
    }
  }

  private void report(double calm, double killed) {
    var figures = bench.figures();
    figures.add(Figure.of("W2 replicas", "W2 10,000 workers of 20 ms, 3 replicas", "s"), calm);
    figures.add(
        Figure.of("W2 killed", "W2 the same, the run's replica killed midway", "s"), killed);
    figures.add(Figure.of("W2 killed ratio", "W2 killed ÷ undisturbed", "×"), killed / calm);
  }

  private double undisturbed() throws Exception {
    long begun = System.nanoTime();
    return await(start(replicas.getFirst()), replicas.getLast(), begun);
  }

  /// Kills the replica that was given the run.
  private double killed(double afterSeconds) throws Exception {
    var victim = replicas.getFirst();
    long begun = System.nanoTime();
    var run = start(victim);
    Thread.sleep((long) (1000 * afterSeconds));
    victim.kill();
    replicas.remove(victim);
    return await(run, replicas.getLast(), begun);
  }

  private static String start(ServiceChild replica) throws IOException {
    try (var line = new HttpLine(replica.url())) {
      var body = "{\"graph\":\"w2-blink\",\"input\":{\"width\":%d}}".formatted(WIDTH);
      var found = ID.matcher(line.postJson("/v1/runs", body).orThrow().body());
      if (!found.find()) {
        throw new IllegalStateException("a run without id");
      }
      return found.group(1);
    }
  }

  /// @return wall seconds since `begun`
  private static double await(String run, ServiceChild replica, long begun) throws Exception {
    try (var line = new HttpLine(replica.url())) {
      while (true) {
        double seconds = (System.nanoTime() - begun) / 1e9;
        var status = Json.read(line.get("/v1/runs/" + run).orThrow().body());
        if (status instanceof ObjectValue it && Value.of("succeeded").equals(it.get("status"))) {
          check(Json.read(line.get("/v1/runs/" + run + "/state").orThrow().body()));
          return seconds;
        }
        if (seconds > RUN_MAX_SECONDS) {
          throw new IllegalStateException("the run did not end: " + status);
        }
        Thread.sleep(POLL_MS);
      }
    }
  }

  /// Every item exactly once.
  private static void check(Value body) {
    var items = new HashSet<Value>();
    int results = 0;
    if (body instanceof ObjectValue shown
        && shown.get("state") instanceof ObjectValue state
        && state.get("results") instanceof ListValue list) {
      results = list.size();
      list.forEach(it -> items.add(((ObjectValue) it).getOr("item", Value.NULL)));
    }
    if (results != WIDTH || items.size() != WIDTH) {
      throw new IllegalStateException(
          "%d results of %d items, not %d".formatted(results, items.size(), WIDTH));
    }
  }
}
