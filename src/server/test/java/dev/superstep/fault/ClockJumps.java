package dev.superstep.fault;

import dev.superstep.schedule.ScheduledRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// One replica's clock is set while it works, again and again, each time for a moment: it sleeps
/// for nobody, ends nothing, and takes nobody for dead.
record ClockJumps(int runs) implements Scenario {
  /// Ten of them, between a day back and five years on, as libfaketime writes them.
  private static final List<String> OFFSETS =
      List.of("-1d", "-1h", "+1h", "+30d", "+1826d", "-10m", "+1d", "+365d", "-20s", "+1826d");

  private static final String FILE = "clock";

  private static final String RUNS =
      """
      run where greatest(created_at, started_at, finished_at, wakes_at, queued_at)
                > now() + interval '10 min'
             or least(created_at, started_at, finished_at, queued_at) < now() - interval '1 h'
             or elapsed_ms not between 0 and 600000
      """;

  private static final Duration WRONG = Duration.ofMillis(500);
  private static final Duration RIGHT = Duration.ofMillis(700);

  @Override
  public String name() {
    return "clock jumps";
  }

  @Override
  public Optional<String> skipped() {
    return ClockSkew.missing();
  }

  @Override
  public Cluster.Options options(Path folder) throws Exception {
    set(folder, "+0");
    return Cluster.Options.of(2).lease(Duration.ofSeconds(2)).special(environment(folder));
  }

  private static Map<String, String> environment(Path folder) {
    return ClockSkew.environment("FAKETIME_TIMESTAMP_FILE", folder.resolve(FILE).toString());
  }

  /// In one step: the library reads the file each time that it is asked for the time.
  private static void set(Path folder, String offset) throws IOException {
    var next = Files.writeString(folder.resolve("clock.next"), offset + "\n");
    Files.move(next, folder.resolve(FILE), StandardCopyOption.REPLACE_EXISTING);
  }

  @Override
  public void play(Stage stage) throws Exception {
    var load = new Load(stage.cluster(), "jumps");
    Verdict.after(stage, load, () -> jump(stage, load));
    none(stage, "takeovers of living replicas", "run_event where type = 'run.taken_over'");
    none(
        stage,
        "runs that were out of time",
        "run_event where convert_from(data, 'UTF8') like '%run_timeout%'");
    none(stage, "runs with times of another clock", RUNS);
    none(
        stage,
        "wake-ups in the far future",
        ScheduledRows.WAKE_UPS + " as it where due > now() + interval '10 min'");
  }

  private void jump(Stage stage, Load load) throws Exception {
    for (var offset : OFFSETS) {
      load.start(runs);
      set(stage.folder(), offset);
      TimeUnit.MILLISECONDS.sleep(WRONG.toMillis());
      witness(stage, offset);
      set(stage.folder(), "+0");
      stage.tally().fault("clock jump");
      TimeUnit.MILLISECONDS.sleep(RIGHT.toMillis());
    }
  }

  /// Another process with the same environment says what the time is. The replica's web server says
  /// it only where the clock has gone on: it keeps the newest date.
  private static void witness(Stage stage, String offset) throws Exception {
    var date = new ProcessBuilder("date", "+%s");
    date.environment().putAll(environment(stage.folder()));
    var said = date.start().inputReader().readLine().strip();
    boolean jumped = isOff(Instant.ofEpochSecond(Long.parseLong(said)));
    if (offset.startsWith("+")) {
      jumped &= isOff(ClockSkew.clock(stage.cluster().replicas().getFirst()));
    }
    if (!jumped) {
      throw new IllegalStateException("the clock was not set to " + offset);
    }
  }

  private static boolean isOff(Instant time) {
    return Duration.between(Instant.now(), time).abs().toSeconds() > 5;
  }

  private static void none(Stage stage, String what, String rows) {
    int found =
        stage.cluster().jdbc().sql("select count(*) from " + rows).query(Integer.class).single();
    if (found > 0) {
      stage.tally().violation("%d %s".formatted(found, what));
    }
  }
}
