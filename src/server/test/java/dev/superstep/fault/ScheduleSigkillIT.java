package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Two replicas of the packaged jar are killed with SIGKILL in turn while schedules of every second
/// start runs. Each time starts exactly one run.
class ScheduleSigkillIT {
  private static final int SCHEDULES = 4;
  private static final int KILLS = Integer.getInteger("schedules.kills", 4);
  private static final long SEED = Long.getLong("schedules.seed", 29);
  private static final String JSON = "application/json";
  @TempDir private Path folder;

  @Test
  @Timeout(value = 10, unit = TimeUnit.MINUTES)
  void startsEachTimeOnce() throws Exception {
    var settings = Map.of("SUPERSTEP_LEASE", "2s", "SUPERSTEP_SCHEDULES_INTERVALMIN", "1s");
    try (var replicas = new ReplicaPair(folder, settings)) {
      replicas.start();
      var both = List.of(replicas.first(), replicas.second());
      var graph = "{\"name\": \"often\", \"nodes\": [{\"id\": \"a\", \"type\": \"router\"}]}";
      assertThat(both.getFirst().post("/v1/graphs", JSON, graph).status()).isEqualTo(201);
      for (int i = 0; i < SCHEDULES; i++) {
        var schedule =
            """
            {"id": "s-%d", "cron": "* * * * * *", "overlap": "allow", "catch_up": "all",
             "run": {"graph": "often", "input": {}}}
            """
                .formatted(i);
        assertThat(both.getFirst().post("/v1/schedules", JSON, schedule).status()).isEqualTo(201);
      }

      killInTurn(both);

      var jdbc = replicas.jdbc();
      settle(jdbc);
      IntStream.range(0, SCHEDULES).forEach(it -> check(jdbc, "s-" + it));
    }
  }

  private static void killInTurn(List<Replica> both) throws InterruptedException {
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
    jdbc.sql("update run_schedule set ends_at = now() + interval '2 seconds'").update();
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .until(() ->
            jdbc.sql(
                    """
                    select not exists (select from run_schedule where due_at is not null)
                       and not exists (select from run_schedule_start where status = 'waiting')
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
}
