package dev.superstep.fault;

import dev.superstep.fault.TimedCalls.Call;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Kills a replica with the default settings under load, and measures: how long after the answer of
/// a call the database has its outcome, and how many calls are made again.
///
/// @param runs that loop over a superstep of several calls
/// @param width calls of a superstep, which end at different times
/// @param load how long before the kill
record CallsUnderLoad(int runs, int width, Duration load) implements Scenario {
  private static final Duration LEASE = Duration.ofSeconds(6);
  private static final Duration ANSWER_MIN = Duration.ofMillis(200);
  private static final Duration ANSWER_MAX = Duration.ofSeconds(1);

  /// Of half of the outcomes, even on a busy machine.
  private static final Duration DELAY_MAX = Duration.ofMillis(100);

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Override
  public String name() {
    return "calls under load, %d x %d".formatted(runs, width);
  }

  @Override
  public Cluster.Options options(Path folder) {
    return Cluster.Options.of(1).lease(LEASE);
  }

  @Override
  public void play(Stage stage) throws Exception {
    var cluster = stage.cluster();
    watch(cluster.jdbc());
    try (var calls = new TimedCalls(stage.random().nextLong(), ANSWER_MIN, ANSWER_MAX)) {
      cluster.define(graph(calls.url()));
      var items = "[%s]".formatted("0,".repeat(width - 1) + "0");
      for (int i = 0; i < runs; i++) {
        cluster.post(
            "/v1/runs",
            "application/json",
            "{\"graph\": \"under-load\", \"input\": {\"items\": %s}, %s}"
                .formatted(items, "\"limits\": {\"max_supersteps\": 10000}"));
      }
      TimeUnit.NANOSECONDS.sleep(load.toNanos());

      var killed = Instant.now();
      cluster.replicas().getFirst().kill();
      stage.tally().fault("sigkill");
      var started = calls.arrivals().keySet();
      var answered = new HashMap<>(calls.answered());
      answered.values().removeIf(killed::isBefore);
      var written = written(cluster.jdbc(), started);
      measure(stage.tally(), answered, written);
      stage.tally().figure("calls_under_way", started.size() - answered.size());
      countRepeats(stage, calls, started.size() - written.size());
    }
  }

  private static String graph(String url) {
    return """
    name: under-load
    channels: { calls: { reducer: sum, default: 0 }, items: { default: [] } }
    nodes:
      - id: plan
        type: expression
        config: { dispatch: "{{ fan_out('work', state.items, 'item') }}" }
        targets: [work]
      - { id: work, type: http, config: { url: "%s" } }
    edges:
      - { from: __start__, to: plan }
      - { from: work, to: plan }
    """
        .formatted(url);
  }

  /// The database notes when it has each outcome: a row of its own, or that of the whole superstep.
  private static void watch(JdbcClient jdbc) {
    jdbc.sql("create table written (run text, superstep int, task text, at timestamptz)").update();
    for (var source : Map.of("recorded_task", "new.task", "checkpoint", "null").entrySet()) {
      var name = "written_" + source.getKey();
      jdbc.sql(
              """
              create function %s() returns trigger language plpgsql as $$
              begin
                insert into written values (new.run, new.superstep, %s, clock_timestamp());
                return null;
              end $$
              """
                  .formatted(name, source.getValue()))
          .update();
      jdbc.sql(
              "create trigger %1$s after insert on %2$s for each row execute function %1$s()"
                  .formatted(name, source.getKey()))
          .update();
    }
  }

  private static Map<Call, Instant> written(JdbcClient jdbc, Iterable<Call> calls) {
    var rows = new HashMap<Call, Instant>();
    jdbc.sql(
            "select run, superstep, coalesce(task, '') as task, min(at) as at from written"
                + " group by 1, 2, 3")
        .query(row -> {
          rows.put(
              new Call(row.getString("run"), row.getLong("superstep"), row.getString("task")),
              row.getObject("at", Timestamp.class).toInstant());
        });
    var written = new HashMap<Call, Instant>();
    for (var call : calls) {
      var own = rows.getOrDefault(call, Instant.MAX);
      var all = rows.getOrDefault(new Call(call.run(), call.superstep(), ""), Instant.MAX);
      var first = own.isBefore(all) ? own : all;
      if (first.isBefore(Instant.MAX)) {
        written.put(call, first);
      }
    }
    return written;
  }

  private void measure(Tally tally, Map<Call, Instant> answered, Map<Call, Instant> written) {
    var delays =
        answered.entrySet().stream()
            .filter(it -> written.containsKey(it.getKey()))
            .map(it -> Duration.between(it.getValue(), written.get(it.getKey())).toMillis())
            .sorted()
            .toList();
    tally.figure("answers_per_s", answered.size() / load.toSeconds());
    tally.figure("answer_to_row_ms_p50", percentile(delays, 50));
    if (percentile(delays, 50) > DELAY_MAX.toMillis()) {
      tally.violation("half of the outcomes were written after more than " + DELAY_MAX);
    }
    tally.figure("answer_to_row_ms_p99", percentile(delays, 99));
    tally.figure("answer_to_row_ms_max", percentile(delays, 100));
    tally.figure("answered_not_written", answered.size() - delays.size());
  }

  private static long percentile(List<Long> sorted, int share) {
    return sorted.isEmpty() ? -1 : sorted.get(Math.max(0, (sorted.size() * share - 1) / 100));
  }

  /// Each call whose outcome is not there is made again by the process that comes next, and no
  /// other.
  private static void countRepeats(Stage stage, TimedCalls calls, int lost) {
    stage.cluster().replicas().getFirst().start();
    Awaitility.await("the repeats of %d calls".formatted(lost))
        .atMost(PATIENCE)
        .until(() -> repeats(calls) >= lost);
    stage.tally().figure("repeats", repeats(calls));
    if (repeats(calls) > lost) {
      stage.tally().violation("%d calls were repeated, %d lost".formatted(repeats(calls), lost));
    }
  }

  private static long repeats(TimedCalls calls) {
    return calls.arrivals().values().stream().filter(it -> it > 1).count();
  }
}
