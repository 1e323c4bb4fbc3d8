package dev.superstep.fault;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// A backup is taken while runs execute; then everything is lost, and a replica starts over the
/// backup. Every run goes on from where it was at that moment, and ends as an undisturbed one. What
/// was called after that moment is called again, with the same keys and bodies.
record Restore(int runs) implements Scenario {
  @Override
  public String name() {
    return "backup under load, restored";
  }

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(2).lease(Duration.ofSeconds(2));
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    var tally = stage.tally();
    var load = new Load(cluster, "restored");
    var backup = Files.createDirectories(stage.folder().resolve("backup"));
    load.start(runs);
    // Not a wait for something to happen, but the random moment itself.
    TimeUnit.MILLISECONDS.sleep(stage.random().nextInt(300));
    cluster.postgres().backUp(backup);
    tally.fault("database lost");
    cluster.restore(backup);

    int open = load.unfinished().size();
    tally.figure("open_after_restore", open);
    if (open == 0) {
      tally.violation("a backup without open runs proves nothing");
    }
    load.finish(Duration.ofMinutes(2));
    tally.runs(runs);
    tally.violations(Invariants.ofHashes(stage.expected(), load.shapes(), load.hashes()));
    Verdict.ofStore(stage);
    if (cluster.ledger().mismatches() > 0) {
      tally.violation("I10: a call was repeated with another body");
    }
  }
}
