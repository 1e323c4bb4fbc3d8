package dev.superstep.bench;

import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/// What the command line says.
///
/// @param workloads W1 to W6, AGENTS, and what only runs when it is named
/// @param peers that run FRESH, PEERS and W7 beside the service
/// @param seconds how long each closed loop lasts
/// @param repeats how often each workload is measured, after a warm-up
/// @param quiet how many seconds to wait, at most, until nothing else runs
/// @param waiting how many runs are left waiting in W4 and W8
/// @param url of a started service that has the functions of the workloads; empty: one is started
/// @param datasource JDBC URL with user and password; empty: an embedded PostgreSQL is started
/// @param layout folder of the service as in the image, for START beside the packaged jar; may be
///   empty
/// @param output folder of everything that is written
record BenchOptions(
    Set<String> workloads,
    Set<Engine.Kind> peers,
    Pace pace,
    OptionalInt waiting,
    Optional<String> url,
    Optional<String> datasource,
    Optional<Path> layout,
    Path output) {
  private static final Set<String> ALL = Set.of("W1", "W2", "W3", "W4", "W5", "W6", "AGENTS");

  /// Those that only run when they are asked for by name.
  private static final Set<String> OTHERS =
      Set.of("START", "PURGE", "PEERS", "FRESH", "W7", "W8", "W9");

  /// @param freshSeconds how long each part of FRESH lasts
  record Pace(double seconds, int repeats, int quietSeconds, double freshSeconds) {}

  BenchOptions {
    workloads = Set.copyOf(workloads);
    // In one order, whichever way they were named.
    peers = Collections.unmodifiableSet(new TreeSet<>(peers));
  }

  /// @throws IllegalArgumentException naming what cannot be used
  static BenchOptions fromSystemProperties() {
    return new BenchOptions(
        workloads(text("workloads").orElse("all")),
        peers(text("peers").orElse("")),
        new Pace(
            number("seconds", 4),
            (int) number("repeats", 3),
            (int) number("quiet", 60),
            number("fresh", 30)),
        text("waiting").stream().mapToInt(Integer::parseInt).findFirst(),
        text("url"),
        text("datasource"),
        text("layout").map(it -> Path.of(it).toAbsolutePath()),
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
    var known = new TreeSet<>(ALL);
    known.addAll(OTHERS);
    if (!known.containsAll(chosen)) {
      throw new IllegalArgumentException("-Dworkloads=%s: choose from %s".formatted(names, known));
    }
    return chosen;
  }

  private static Set<Engine.Kind> peers(String names) {
    var peers = EnumSet.noneOf(Engine.Kind.class);
    for (var name : names.toUpperCase(Locale.ROOT).split("[\\s,]+", -1)) {
      if (!name.isEmpty()) {
        peers.add(Engine.Kind.valueOf(name));
      }
    }
    return peers;
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
