package dev.superstep.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Kills under the lease that the service comes with, two of four replicas at a time, and many runs
/// at each: how long until somebody else goes on.
record Takeovers(int rounds, int runs) implements Scenario {
  private static final Duration DEFAULT_LEASE = Duration.ofSeconds(6);
  private static final Duration P95_MAX = Duration.ofSeconds(10);
  private static final Duration P99_MAX = Duration.ofSeconds(15);

  @Override
  public String name() {
    return "takeover under the default lease";
  }

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(4).lease(DEFAULT_LEASE);
  }

  @Override
  public void play(Stage stage) throws Exception {
    var load = new Load(stage.cluster(), "takeover");
    var faults = new Faults(stage);
    stage.cluster().ledger().gate(_ -> TimeUnit.MILLISECONDS.sleep(500));
    Verdict.after(
        stage,
        load,
        () -> {
          for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < runs; i++) {
              load.start("loop");
            }
            faults.kill(2);
            TimeUnit.MILLISECONDS.sleep(stage.random().nextInt(2_000));
          }
        });
    faults.measureTakeovers();
    check(stage.tally(), 0.95, P95_MAX);
    check(stage.tally(), 0.99, P99_MAX);
  }

  private static void check(Tally tally, double share, Duration most) {
    var time = tally.takeover(share).orElseThrow();
    if (time.compareTo(most) > 0) {
      tally.violation("%s of the takeovers are done after %s".formatted(share, time));
    }
  }
}
