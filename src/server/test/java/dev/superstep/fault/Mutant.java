package dev.superstep.fault;

import dev.superstep.fault.extension.WithoutFence;
import dev.superstep.fault.extension.WithoutOutcomes;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;

/// The proof that a scenario would see what is missing in an engine that is damaged: it must find
/// violations, and says so if it does not.
///
/// @param damage an extension
/// @param noticed part of a violation that must be among them
record Mutant(Scenario scenario, Class<?> damage, String noticed) implements Scenario {
  /// Without the lease epoch in any condition.
  static Mutant unfenced(Scenario scenario) {
    return new Mutant(scenario, WithoutFence.class, "");
  }

  /// One that does not read which tasks of a superstep have ended.
  static Mutant forgetful(Scenario scenario) {
    return new Mutant(scenario, WithoutOutcomes.class, "I10: the database had the outcome of");
  }

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
    settings.putAll(ExtensionJar.of(folder, damage));
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
    if (seen.violations().stream().noneMatch(it -> it.contains(noticed))) {
      stage.tally().violation("nothing noticed " + damage.getSimpleName());
    }
  }
}
