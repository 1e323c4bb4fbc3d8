package dev.superstep.fault;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Map;
import java.util.Optional;

/// One replica's clock is an hour off, by libfaketime, while replicas are killed.
///
/// @param offset as libfaketime writes it, such as `+1h`
record ClockSkew(String offset) implements Scenario {
  private static final Path LIBRARIES = Path.of("/usr/lib");

  @Override
  public String name() {
    return "clock skew " + offset;
  }

  @Override
  public Optional<String> skipped() {
    return missing();
  }

  /// Why no clock can be set on this machine.
  static Optional<String> missing() {
    return library().isPresent()
        ? Optional.empty()
        : Optional.of("libfaketime is not installed (Debian: apt-get install libfaketime)");
  }

  private static Optional<Path> library() {
    try (var found =
        Files.find(LIBRARIES, 3, (file, _) -> file.endsWith("faketime/libfaketimeMT.so.1"))) {
      return found.findFirst();
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(3).special(environment("FAKETIME", offset));
  }

  /// Of a process whose wall clock is another one.
  ///
  /// @param where which variable of libfaketime says by how much
  static Map<String, String> environment(String where, String value) {
    return Map.of(
        "LD_PRELOAD",
        library().orElseThrow().toString(),
        where,
        value,
        // What waits, waits for the monotonic clock, which nothing can set.
        "FAKETIME_DONT_FAKE_MONOTONIC",
        "1",
        // It would take the deadlines of the JVM's waits for times that it has faked, and each wait
        // would end at once.
        "FAKETIME_FORCE_MONOTONIC_FIX",
        "0",
        "FAKETIME_NO_CACHE",
        "1",
        "NO_FAKE_STAT",
        "1");
  }

  @Override
  public void play(Stage stage) throws Exception {
    var skewed = clock(stage.cluster().replicas().getFirst());
    if (Duration.between(Instant.now(), skewed).abs().toMinutes() < 50) {
      throw new IllegalStateException("the clock was not skewed: it says " + skewed);
    }
    stage.tally().fault("skewed clock");
    var load = new Load(stage.cluster(), "skew");
    var faults = new Faults(stage);
    Verdict.after(
        stage,
        load,
        () -> {
          for (int i = 0; i < 3; i++) {
            load.start(10);
            Thread.sleep(stage.random().nextInt(300));
            faults.kill();
          }
        });
    faults.measureTakeovers();
  }

  /// What the process says the time is: the database is its own witness of nothing here.
  static Instant clock(Replica replica) throws Exception {
    var response = replica.head("/v1/graphs").headers().firstValue("Date").orElseThrow();
    return ZonedDateTime.parse(response, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
  }
}
