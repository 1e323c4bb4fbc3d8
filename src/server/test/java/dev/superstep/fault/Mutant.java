package dev.superstep.fault;

import dev.superstep.fault.extension.WithoutFence;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;

/// The proof that a scenario would see a missing fence: with the lease epoch taken out of every
/// condition it must find violations, and says so if it does not.
record Mutant(Scenario scenario) implements Scenario {

  @Override
  public String name() {
    return scenario.name();
  }

  @Override
  public Optional<String> skipped() {
    return scenario.skipped();
  }

  @Override
  public Cluster.Options options(Path folder) throws Exception {
    var options = scenario.options(folder);
    var settings = new HashMap<>(options.settings());
    settings.putAll(ExtensionJar.of(folder, WithoutFence.class));
    return options.with(settings);
  }

  @Override
  public void play(Stage stage) throws Exception {
    var seen = new Tally(name(), 0);
    try {
      scenario.play(
          new Stage(stage.cluster(), seen, stage.random(), stage.expected(), stage.folder()));
    } catch (AssertionError | RuntimeException e) {
      seen.violation(e.toString());
    }
    stage.tally().takeOver(seen);
    if (seen.violations().isEmpty()) {
      stage.tally().violation("nothing noticed that there is no fence");
    }
  }
}
