package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Assumptions;

/// Plays scenarios, each on a cluster of its own, over one PostgreSQL.
final class Suite implements AutoCloseable {
  private final Path folder;
  private final Postgres postgres;
  private final Installation installation;
  private final Map<String, String> expected = new HashMap<>();
  private int played;

  private Suite(Path folder, Postgres postgres, Installation installation) {
    this.folder = folder;
    this.postgres = postgres;
    this.installation = installation;
  }

  static Suite in(Path folder) throws Exception {
    return new Suite(folder, new Postgres(folder), Installation.shared());
  }

  /// Plays it, reports, and fails unless faults were injected and nothing broke.
  Tally play(Scenario scenario, long seed) throws Exception {
    var tally = perform(scenario, seed);
    assertThat(tally.violations()).as("%s, seed %d", scenario.name(), seed).isEmpty();
    return tally;
  }

  /// Plays it and reports; what broke is in the tally.
  private Tally perform(Scenario scenario, long seed) throws Exception {
    var tally = new Tally(scenario.name(), seed);
    scenario
        .skipped()
        .ifPresent(reason -> {
          tally.skipped(reason);
          tally.report();
          Assumptions.abort(reason);
        });
    var home = Files.createDirectories(folder.resolve("scenario-" + ++played));
    long begin = System.nanoTime();
    try {
      var own = scenario.ownDatabase(home);
      if (own.isPresent()) {
        try (var database = new Postgres(own.get())) {
          perform(scenario, database, tally, new Random(seed), home);
        } finally {
          scenario.after(home);
        }
      } else {
        perform(scenario, postgres, tally, new Random(seed), home);
      }
    } catch (AssertionError | RuntimeException e) {
      tally.violation("%s: %s".formatted(e.getClass().getSimpleName(), e.getMessage()));
      throw e;
    } finally {
      if (!tally.violations().isEmpty() || Boolean.getBoolean("fault.logs")) {
        keepLogs(home);
      }
      tally.figure("seconds", Duration.ofNanos(System.nanoTime() - begin).toSeconds());
      tally.report();
    }
    assertThat(tally.injected()).as("%s injected nothing", scenario.name()).isPositive();
    return tally;
  }

  private void perform(Scenario scenario, Postgres database, Tally tally, Random random, Path home)
      throws Exception {
    try (var cluster = new Cluster(database, installation, home, scenario.options(home))) {
      cluster.start();
      new Referee(cluster.jdbc()).watch();
      if (expected.isEmpty()) {
        expected.putAll(undisturbed(cluster));
      }
      try {
        scenario.play(new Stage(cluster, tally, random, Map.copyOf(expected), home));
      } finally {
        Files.write(home.resolve("rows.log"), cluster.unfinished());
        cluster.replicas().forEach(it -> tally.violations(it.brokenThreads()));
      }
    }
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

  /// The folder is deleted with the suite; what explains a failure stays.
  private static void keepLogs(Path home) throws IOException {
    var kept = Files.createDirectories(Path.of("target", "fault-logs"));
    try (var files = Files.walk(home)) {
      for (var log : files.filter(it -> it.toString().endsWith(".log")).toList()) {
        Files.copy(
            log,
            kept.resolve(
                home.getFileName() + "-" + home.relativize(log).toString().replace('/', '-')),
            StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
