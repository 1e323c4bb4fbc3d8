package dev.superstep.bench;

import java.util.List;

/// PEERS: W6 and W4 by the service and by its peers on this machine and this server of databases,
/// in turns, by one client.
final class PeerWorkload {
  private static final List<Integer> CALLERS = List.of(1, 8, 64);
  private static final List<Integer> ASKERS = List.of(1, 8);
  private static final double WARM_UP_SECONDS = 20;
  private final Bench bench;

  PeerWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    var engines = Engine.startAll(bench);
    try {
      for (var engine : engines) {
        warmUp(engine);
      }
      bench.repeat("PEERS", () -> inTurns(engines));
    } finally {
      Engine.closeAll(engines);
    }
  }

  private static void warmUp(Engine engine) throws Exception {
    engine.postGraphs();
    for (var row : engine.rows()) {
      HttpWorkload.loop(engine.url(), row.chain(), 64, WARM_UP_SECONDS);
    }
    QuestionWorkload.http(engine.url(), engine.dialogue(), 8, WARM_UP_SECONDS / 2);
  }

  private void inTurns(List<Engine> engines) throws Exception {
    double seconds = bench.options().pace().seconds();
    for (int callers : CALLERS) {
      double limit = bench.commits().perSecond(callers, Math.min(2, seconds));
      for (var engine : engines) {
        for (var row : engine.rows()) {
          chain(engine, row, callers, limit);
        }
      }
    }
    for (int callers : ASKERS) {
      for (var engine : engines) {
        var halves = QuestionWorkload.http(engine.url(), engine.dialogue(), callers, seconds);
        var label = "W4 %s, %d at a time".formatted(engine.kind().label(), callers);
        halves.report(bench.figures(), "PEERS " + label, label);
      }
    }
  }

  /// @param limit raw commits per second with so many connections
  private void chain(Engine engine, Engine.Row row, int callers, double limit) throws Exception {
    double seconds = bench.options().pace().seconds();
    HttpWorkload.loop(engine.url(), row.chain(), callers, seconds / 4);
    var before = engine.cost();
    var calls = HttpWorkload.loop(engine.url(), row.chain(), callers, seconds);
    var cost = engine.cost().since(before);
    var label = "W6 %s, %s, %d at a time".formatted(engine.kind().label(), row.name(), callers);
    var key = "PEERS " + label;
    var figures = bench.figures();
    figures.add(Figure.of(key, label, "runs/s"), calls.perSecond(), limit);
    figures.add(Figure.of(key + " p50", label + ", p50", "ms"), calls.millis(0.5));
    figures.add(Figure.of(key + " p99", label + ", p99", "ms"), calls.millis(0.99));
    figures.add(
        Figure.of(key + " cpu", label + ", CPU of the engine", "ms/run"),
        1000 * cost.serviceCpu() / calls.count());
    if (!Double.isNaN(cost.databaseCpu())) {
      figures.add(
          Figure.of(key + " dbcpu", label + ", CPU of PostgreSQL", "ms/run"),
          1000 * cost.databaseCpu() / calls.count());
    }
    figures.add(
        Figure.of(key + " wal", label + ", WAL", "bytes/run"),
        (double) cost.walBytes() / calls.count());
  }
}
