package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;

/// Plays scenarios, each on a cluster of its own, over one PostgreSQL.
final class Suite implements AutoCloseable {
  private final Path folder;
  private final Postgres postgres;
  private final Installation installation;
  private final Map<String, String> expected = new HashMap<>();

  Suite(Path folder) throws Exception {
    this.folder = folder;
    postgres = new Postgres(folder);
    installation =
        Installation.of(
            folder, Cluster.database(postgres.port(), postgres.freshDatabase()));
  }

  Postgres postgres() {
    return postgres;
  }

  Installation installation() {
    return installation;
  }

  /// Plays it, reports, and fails unless faults were injected and nothing broke.
  Tally play(Scenario scenario, long seed) throws Exception {
    var tally = perform(scenario, seed);
    assertThat(tally.violations()).as("%s, seed %d", scenario.name(), seed).isEmpty();
    return tally;
  }

  /// Plays it and reports; what broke is in the tally.
  Tally perform(Scenario scenario, long seed) throws Exception {
    var tally = new Tally(scenario.name(), seed);
    var home = Files.createDirectories(folder.resolve(scenario.name() + "-" + System.nanoTime()));
    var options = scenario.options(home);
    long begin = System.nanoTime();
    try (var cluster = new Cluster(postgres, installation, home, options)) {
      cluster.start();
      new Referee(cluster.jdbc()).watch();
      if (expected.isEmpty()) {
        expected.putAll(undisturbed(cluster));
      }
      scenario.play(new Stage(cluster, tally, new Random(seed), Map.copyOf(expected), home));
    } catch (AssertionError | RuntimeException e) {
      tally.violation("%s: %s".formatted(e.getClass().getSimpleName(), e.getMessage()));
      throw e;
    } finally {
      tally.figure("seconds", Duration.ofNanos(System.nanoTime() - begin).toSeconds());
      tally.report();
    }
    assertThat(tally.injected()).as("%s injected nothing", scenario.name()).isPositive();
    return tally;
  }

  /// The state hash of each graph's run when nothing goes wrong.
  private static Map<String, String> undisturbed(Cluster cluster) {
    var calm = new Load(cluster, "calm");
    calm.start(Shapes.ALL.size());
    calm.finish(Duration.ofMinutes(1));
    var hashes = new HashMap<String, String>();
    var found = calm.hashes();
    calm.shapes().forEach((run, shape) -> hashes.put(shape, found.getOrDefault(run, "")));
    return hashes;
  }

  @Override
  public void close() {
    postgres.close();
  }
}
