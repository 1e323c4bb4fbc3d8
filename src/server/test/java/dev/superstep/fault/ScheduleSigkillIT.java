package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Two replicas of the packaged jar are killed with SIGKILL while schedules and events start runs.
/// Each time and each event starts exactly one run, and what an outage leaves out is what
/// `catch_up` says.
class ScheduleSigkillIT {
  private static final int SCHEDULES = 4;
  private static final int KILLS = Integer.getInteger("schedules.kills", 4);
  private static final long SEED = Long.getLong("schedules.seed", 29);

  /// Of each kind of catching up.
  private static final int AFTER_OUTAGE = 20;

  /// Of two hours, at every half.
  private static final int TIMES = 4;

  private static final String JSON = "application/json";
  @TempDir private static Path folder;
  private static ReplicaPair replicas;
  private static List<Replica> both;

  @BeforeAll
  static void startReplicas() throws Exception {
    var settings = Map.of("SUPERSTEP_LEASE", "2s", "SUPERSTEP_SCHEDULES_INTERVALMIN", "1s");
    replicas = new ReplicaPair(folder, settings);
    replicas.start();
    both = List.of(replicas.first(), replicas.second());
    var graph =
        """
        {"name": "often", "channels": {"n": {}}, "nodes": [{"id": "a", "type": "router"}],
         "triggers": {"t": {"event": {"name": "often"}}}}
        """;
    assertThat(both.getFirst().post("/v1/graphs", JSON, graph).status()).isEqualTo(201);
  }

  @AfterAll
  static void stopReplicas() {
    replicas.close();
  }

  private static void schedule(String id, String cron, String catchUp) {
    var body =
        """
        {"id": "%s", "cron": "%s", "overlap": "allow", "catch_up": "%s",
         "run": {"graph": "often", "input": {}}}
        """
            .formatted(id, cron, catchUp);
    assertThat(both.getFirst().post("/v1/schedules", JSON, body).status()).isEqualTo(201);
  }

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void startsEachTimeAndEachEventOnce() throws Exception {
    IntStream.range(0, SCHEDULES).forEach(it -> schedule("s-" + it, "* * * * * *", "all"));
    var stopped = new AtomicBoolean();
    int sent;
    try (var sender = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Integer> sending = () -> sendEvents(stopped);
      var events = sender.submit(sending);
      try {
        killInTurn();
      } finally {
        stopped.set(true);
      }
      sent = events.get();
    }

    var jdbc = replicas.jdbc();
    settle(jdbc);
    IntStream.range(0, SCHEDULES).forEach(it -> check(jdbc, "s-" + it));
    System.out.printf("schedules: %d events%n", sent);
    assertThat(startedByEvents(jdbc)).isEqualTo(List.of(sent, sent)).doesNotContain(0);
  }

  /// Each is sent to both.
  ///
  /// @return how many
  private static int sendEvents(AtomicBoolean stopped) {
    int sent = 0;
    while (!stopped.get()) {
      var event =
          "{\"specversion\": \"1.0\", \"id\": \"e-%d\", \"source\": \"/kills\", \"type\": \"often\", \"data\": {}}"
              .formatted(sent);
      for (var replica : both) {
        var answer = replica.post("/v1/events", "application/cloudevents+json", event);
        assertThat(answer.status()).as(String.valueOf(answer.body())).isEqualTo(204);
      }
      sent++;
    }
    return sent;
  }

  /// Runs, and events of which they tell.
  private static List<Integer> startedByEvents(JdbcClient jdbc) {
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() ->
            jdbc.sql("select not exists (select from incoming_event where starts_at is not null)")
                .query(Boolean.class)
                .single());
    return jdbc.sql(
            """
            select (select count(*) from run where id like 't.%'),
                   (select count(*) from incoming_event where cardinality(started) = 1)
            """)
        .query((row, _) -> List.of(row.getInt(1), row.getInt(2)))
        .single();
  }

  private static void killInTurn() throws InterruptedException {
    var random = new Random(SEED);
    System.out.printf("schedules: seed %d, %d kills%n", SEED, KILLS);
    for (int i = 0; i < KILLS; i++) {
      LockSupport.parkNanos(Duration.ofMillis(1_000 + random.nextInt(3_000)).toNanos());
      var replica = both.get(i % 2);
      replica.kill();
      replica.start();
      replica.awaitReady();
    }
  }

  /// Until nothing waits, and nothing more will start.
  private static void settle(JdbcClient jdbc) {
    jdbc.sql("update run_schedule set ends_at = now() + interval '2 seconds' where id like 's-%'")
        .update();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() ->
            jdbc.sql(
                    """
                    select not exists (select from run_schedule
                                        where id like 's-%' and due_at is not null)
                       and not exists (select from run_schedule_start
                                        where schedule like 's-%' and status = 'waiting')
                    """)
                .query(Boolean.class)
                .single());
  }

  /// No time is left out between the first and the last, and each has its run.
  private static void check(JdbcClient jdbc, String schedule) {
    var found =
        jdbc.sql(
                """
                select count(*), count(distinct start.run),
                       extract(epoch from max(start.planned_at) - min(start.planned_at)) + 1,
                       count(*) filter (where start.status = 'started'), count(run.id),
                       (select count(*) from run where run.id like :runs)
                  from run_schedule_start start left join run on run.id = start.run
                 where start.schedule = :schedule
                """)
            .param("schedule", schedule)
            .param("runs", schedule + ".%")
            .query((row, _) -> IntStream.rangeClosed(1, 6).mapToObj(it -> number(row, it)).toList())
            .single();
    System.out.printf("schedules: %s started %s runs%n", schedule, found.getFirst());
    assertThat(found).as(schedule).containsOnly(found.getFirst());
    assertThat(found.getFirst()).isGreaterThan(10);
  }

  private static long number(java.sql.ResultSet row, int column) {
    try {
      return row.getLong(column);
    } catch (java.sql.SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Both replicas are down for two hours, which the rows say. The one that is back first dies
  /// while it catches up.
  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void startsWhatCatchUpSaysAfterAnOutageOfTwoHours() throws Exception {
    var jdbc = replicas.jdbc();
    var cron = jdbc.sql(FAR_FROM_NOW).query((row, _) -> row.getString(1)).single();
    for (int i = 0; i < AFTER_OUTAGE; i++) {
      for (var catchUp : List.of("none", "last", "all")) {
        schedule("o-%s-%d".formatted(catchUp, i), cron, catchUp);
      }
    }
    for (var replica : both) {
      replica.kill();
    }
    int shifted =
        jdbc.sql(
                """
                update run_schedule set next_at = next_at - interval '2 hours',
                                        due_at = due_at - interval '2 hours'
                 where id like 'o-%'
                """)
            .update();
    assertThat(shifted).isEqualTo(3 * AFTER_OUTAGE);

    both.getFirst().start();
    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .pollInterval(Duration.ofMillis(10))
        .until(() -> !caughtUp(jdbc).isEmpty());
    both.getFirst().kill();
    System.out.printf("schedules: killed at %s of 60 that had caught up%n", caughtUp(jdbc).size());
    both.forEach(Replica::start);
    both.forEach(Replica::awaitReady);

    Awaitility.await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> caughtUp(jdbc).size() == 3 * AFTER_OUTAGE && !isDue(jdbc));
    var expected = new ArrayList<String>();
    for (int i = 0; i < AFTER_OUTAGE; i++) {
      expected.add("o-all-%d started %d missed 0 runs %d".formatted(i, TIMES, TIMES));
      expected.add("o-last-%d started 1 missed %d runs 1".formatted(i, TIMES - 1));
      expected.add("o-none-%d started 0 missed %d runs 0".formatted(i, TIMES));
    }
    assertThat(caughtUp(jdbc)).containsExactlyInAnyOrderElementsOf(expected);
  }

  /// Twice an hour, a quarter from now.
  private static final String FAR_FROM_NOW =
      "select (extract(minute from now())::integer + 15) % 30 || '/30 * * * *'";

  private static boolean isDue(JdbcClient jdbc) {
    return jdbc.sql(
            "select exists (select from run_schedule where id like 'o-%' and due_at <= now())")
        .query(Boolean.class)
        .single();
  }

  /// What the schedules that have decided on the outage have started.
  private static List<String> caughtUp(JdbcClient jdbc) {
    return jdbc.sql(
            """
            select format('%s started %s missed %s runs %s', schedule,
                          count(distinct start.run) filter (where start.status = 'started'),
                          count(*) filter (where start.status = 'missed' and start.reason = 'outage'),
                          (select count(*) from run where run.id like start.schedule || '.%'))
              from run_schedule_start start where schedule like 'o-%' group by schedule
            """)
        .query((row, _) -> row.getString(1))
        .list();
  }
}
