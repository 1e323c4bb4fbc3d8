package dev.superstep.bench;

import java.util.Map;

/// PURGE: W6e with 64 connections on a service that keeps runs for seconds, in turns with one that
/// keeps all of them.
final class PurgeWorkload {
  private static final int CONNECTIONS = 64;
  private static final int LOOPS = 5;
  private final Bench bench;

  PurgeWorkload(Bench bench) {
    this.bench = bench;
  }

  void run() throws Exception {
    var folder = bench.options().output();
    var kept = bench.freshDatabase();
    var purged = bench.freshDatabase();
    try (var keeping = ServiceChild.start(kept, folder, "keeping");
        var purging =
            ServiceChild.start(
                purged, folder, "purging", Map.of("SUPERSTEP_RETENTION_SUCCEEDED", "10s"))) {
      for (var service : new ServiceChild[] {keeping, purging}) {
        HttpWorkload.EFFECTFUL.post(service.url());
        load(service, HttpWorkload.WARM_UP_SECONDS);
      }
      bench.repeat(
          "PURGE",
          () -> {
            var without = load(keeping, LOOPS * bench.options().pace().seconds());
            report("PURGE keeping", "PURGE, all runs kept", without, kept);
            long before = runs(purged);
            var with = load(purging, LOOPS * bench.options().pace().seconds());
            report("PURGE purging", "PURGE, runs kept for 10 s", with, purged);
            add(
                "PURGE ratio",
                "PURGE, purging ÷ keeping",
                "×",
                with.perSecond() / without.perSecond());
            double gone = before + with.count() - runs(purged);
            add("PURGE erased", "PURGE, erased meanwhile", "runs/s", gone / with.seconds());
          });
    }
  }

  private static ClosedLoop.Calls load(ServiceChild service, double seconds) throws Exception {
    return HttpWorkload.loop(service.url(), HttpWorkload.EFFECTFUL, CONNECTIONS, seconds);
  }

  private static long runs(Sql database) throws Exception {
    return database.number("select count(*) from run");
  }

  private void report(String key, String label, ClosedLoop.Calls calls, Sql database)
      throws Exception {
    add(key, label, "runs/s", calls.perSecond());
    add(key + " p99", label + ", p99", "ms", calls.millis(0.99));
    add(
        key + " bytes",
        label + ", tables and indexes",
        "MiB",
        database.tableBytes() / (double) (1 << 20));
  }

  private void add(String key, String label, String unit, double value) {
    bench.figures().add(Figure.of(key, label, unit), value);
  }
}
