package dev.superstep.fault;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// Scenarios one after another on one cluster of two: what one leaves behind meets the next.
record Several(String name, List<Scenario> scenarios) implements Scenario {

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(2).lease(Duration.ofSeconds(2)).with(Drain.SETTINGS);
  }

  @Override
  public void play(Stage stage) throws Exception {
    for (var scenario : scenarios) {
      scenario.play(stage);
    }
  }
}
