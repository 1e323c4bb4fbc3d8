package dev.superstep.fault;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Looks for everything that must be true after a scenario.
final class Verdict {
  private static final int NOTED = 20;

  private Verdict() {}

  /// Runs `disturbance` while a client polls, waits for the end of all runs and looks for
  /// violations.
  static void after(Stage stage, Load load, Disturbance disturbance) throws Exception {
    var cluster = stage.cluster();
    var tally = stage.tally();
    try (var client = new PollingClient(cluster, load::runs)) {
      disturbance.strike();
      load.finish(Duration.ofSeconds(150));
      TimeUnit.MILLISECONDS.sleep(200); // for the client to see the ends
      client.stop();
      client.violations().stream().limit(NOTED).forEach(tally::violation);
    }
    tally.runs(load.runs().size());
    var invariants = new Invariants(cluster.jdbc(), cluster.lease());
    tally.violations(Invariants.ofHashes(stage.expected(), load.shapes(), load.hashes()));
    ofStore(stage);
    tally.violations(invariants.ofLedger(cluster.ledger(), tally.allowedRepeats()));
    tally.violations(invariants.ofKeys(cluster.keys()));
    tally.violations(invariants.ofFamilies());
    tally.violations(invariants.ofThreads());
    tally.figure("calls", cluster.ledger().calls());
    tally.figure("repeats", cluster.ledger().repeats());
    tally.figure("repeats_needless", cluster.ledger().needless().size());
    tally.figure("repeats_not_looked_up", cluster.outcomes().unanswered());
    tally.figure("repeats_allowed", tally.allowedRepeats());
  }

  /// I1 to I9 of every run of the cluster.
  static void ofStore(Stage stage) {
    var cluster = stage.cluster();
    var source = cluster.postgres().connection(cluster.database());
    try {
      var jdbc = JdbcClient.create(source);
      var runs = jdbc.sql("select id from run").query((row, _) -> row.getString(1)).list();
      var found = new Invariants(jdbc, cluster.lease()).ofRuns(runs);
      found.stream().limit(NOTED).forEach(stage.tally()::violation);
      var referee = new Referee(jdbc);
      stage.tally().spread(referee.sliced());
      var accepted = referee.accepted();
      stage.tally().figure("zombie_writes_accepted", accepted.size());
      accepted.stream().limit(NOTED).forEach(stage.tally()::violation);
    } finally {
      source.destroy();
    }
  }

  interface Disturbance {
    void strike() throws Exception;
  }
}
