package dev.superstep.fault;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// The primary dies under load and a streaming standby is promoted, again and again. A synchronous
/// one has everything that was acknowledged; one that lags loses it, and what is left goes on:
/// nobody is taken for dead, nothing is stuck, and no call goes out again with another body.
///
/// @param synchronous whether commits wait for the standby
/// @param lagMax for how long at most an asynchronous standby gets nothing before it is promoted
record Promotion(String name, int promotions, int runs, boolean synchronous, Duration lagMax)
    implements Scenario {
  private static final Duration END = Duration.ofSeconds(150);

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(2).lease(Duration.ofSeconds(2));
  }

  /// Its primary does not come back.
  @Override
  public Optional<Path> ownDatabase(Path folder) throws Exception {
    return Optional.of(Files.createDirectories(folder.resolve("primary")));
  }

  @Override
  public void play(Stage stage) throws Exception {
    var acknowledged = new HashMap<String, String>();
    for (int round = 0; round < promotions; round++) {
      promote(stage, round, acknowledged);
    }
  }

  private void promote(Stage stage, int round, Map<String, String> acknowledged) throws Exception {
    var cluster = stage.cluster();
    var primary = cluster.postgres();
    try (var link = new FaultProxy(primary.port())) {
      var home = Files.createDirectories(stage.folder().resolve("standby-" + round));
      var standby = primary.standby(home, link.port());
      primary.synchronous(synchronous);
      var load = new Load(cluster, name + "-" + (char) ('a' + round % 26));
      load.start(runs / 2);
      if (lagMax.isPositive()) {
        link.refuse();
      }
      load.start(runs - runs / 2);
      // Not a wait for something to happen, but the lag itself, or a random moment.
      TimeUnit.MILLISECONDS.sleep(stage.random().nextLong(Math.max(300, lagMax.toMillis())));
      cluster.failOver(standby);
      stage.tally().fault("promotion");
      finish(stage, load, acknowledged);
    }
  }

  private void finish(Stage stage, Load load, Map<String, String> acknowledged) {
    var cluster = stage.cluster();
    var tally = stage.tally();
    load.finish(END);
    var lost = new HashSet<>(load.runs());
    var there = load.hashes().keySet();
    lost.removeAll(there);
    tally.runs(load.runs().size());
    tally.figure("lost_of_last", lost.size());
    if (synchronous) {
      acknowledged.putAll(load.shapes());
      int missing = acknowledged.size() - count(cluster, acknowledged.keySet());
      if (missing > 0) {
        tally.violation(missing + " runs are lost that were acknowledged");
      }
    }
    var shapes = new HashMap<>(load.shapes());
    shapes.keySet().removeAll(lost);
    tally.violations(Invariants.ofHashes(stage.expected(), shapes, load.hashes()));
    Verdict.ofStore(stage);
    none(
        stage,
        "takeovers without a death",
        "select count(*) from run_event where type = 'run.taken_over'");
    none(stage, "runs in poison_run", "select count(*) from run where error_code = 'poison_run'");
    if (cluster.ledger().mismatches() > 0) {
      tally.violation("I10: a call was repeated with another body");
    }
  }

  private static int count(Cluster cluster, Iterable<String> runs) {
    var ids = new HashSet<String>();
    runs.forEach(ids::add);
    return cluster
        .jdbc()
        .sql("select count(*) from run where id = any(?)")
        .param(ids.toArray(String[]::new))
        .query(Integer.class)
        .single();
  }

  private static void none(Stage stage, String what, String count) {
    int found = stage.cluster().jdbc().sql(count).query(Integer.class).single();
    if (found > 0) {
      stage.tally().violation("%d %s".formatted(found, what));
    }
  }
}
