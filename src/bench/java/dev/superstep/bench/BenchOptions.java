package dev.superstep.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/// What the command line says.
///
/// @param workloads W1 to W6 and AGENTS
/// @param seconds how long each closed loop lasts
/// @param repeats how often each workload is measured, after a warm-up
/// @param quiet how many seconds to wait, at most, until nothing else runs
/// @param waiting how many runs are left waiting in W4
/// @param url of a started service that has the functions of the workloads; empty: one is started
/// @param datasource JDBC URL with user and password; empty: an embedded PostgreSQL is started
/// @param output folder of everything that is written
record BenchOptions(
    Set<String> workloads,
    Pace pace,
    int waiting,
    Optional<String> url,
    Optional<String> datasource,
    Path output) {
  private static final Set<String> ALL = Set.of("W1", "W2", "W3", "W4", "W5", "W6", "AGENTS");

  record Pace(double seconds, int repeats, int quietSeconds) {}

  BenchOptions {
    workloads = Set.copyOf(workloads);
  }

  /// @throws IllegalArgumentException naming what cannot be used
  static BenchOptions fromSystemProperties() {
    return new BenchOptions(
        workloads(text("workloads").orElse("all")),
        new Pace(number("seconds", 4), (int) number("repeats", 3), (int) number("quiet", 60)),
        (int) number("waiting", 1000),
        text("url"),
        text("datasource"),
        Path.of(text("output").orElse("target/bench")).toAbsolutePath());
  }

  boolean wants(String workload) {
    return workloads.contains(workload);
  }

  private static Set<String> workloads(String names) {
    if (names.equals("all")) {
      return ALL;
    }
    var chosen = new TreeSet<>(List.of(names.toUpperCase(Locale.ROOT).split("\\s*,\\s*")));
    if (!ALL.containsAll(chosen)) {
      throw new IllegalArgumentException(
          "-Dworkloads=%s: choose from %s".formatted(names, new TreeSet<>(ALL)));
    }
    return chosen;
  }

  private static double number(String name, double otherwise) {
    try {
      return text(name).map(Double::valueOf).orElse(otherwise);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("-D%s must be a number".formatted(name), e);
    }
  }

  /// Maven passes what was not given as an empty text.
  private static Optional<String> text(String name) {
    return Optional.ofNullable(System.getProperty(name)).filter(it -> !it.isBlank());
  }
}
