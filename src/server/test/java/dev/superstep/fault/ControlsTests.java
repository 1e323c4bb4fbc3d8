package dev.superstep.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.database.TestDatabase;
import dev.superstep.fault.Sightings.Seen;
import dev.superstep.fault.extension.WithoutFence;
import dev.superstep.json.Json;
import dev.superstep.state.value.Value;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/// Negative controls: what the fault suite looks for is found when it is there.
class ControlsTests {
  private JdbcClient jdbc;
  private Invariants invariants;

  @BeforeEach
  void makeTables() throws SQLException {
    var database = TestDatabase.fresh();
    jdbc =
        JdbcClient.create(
            new DriverManagerDataSource(
                database.getJdbcUrl(),
                String.valueOf(database.getUsername()),
                String.valueOf(database.getPassword())));
    jdbc.sql(
            """
            create table run (id text, owner text, checkpoint int, status text, thread_id text,
                              ordinal bigint, turn bigint, started_at timestamptz)
            """)
        .update();
    jdbc.sql("create table thread (id text, runs bigint)").update();
    jdbc.sql(
            """
            create table child_run (child text, parent text, superstep int, node text,
                                    dispatch_id text)
            """)
        .update();
    jdbc.sql(
            """
            create table checkpoint (run text, number int, lease_epoch bigint, content bytea,
                                     committed_at timestamptz, kind text, superstep int)
            """)
        .update();
    jdbc.sql(
            """
            create table recorded_task (run text, superstep int, task text,
                                        recorded_at timestamptz default now())
            """)
        .update();
    jdbc.sql("create table task (id text, run text, superstep int, state text, token uuid)")
        .update();
    jdbc.sql("create table slice (run text, superstep int, owner text)").update();
    invariants = new Invariants(jdbc, Duration.ofSeconds(6));
  }

  /// I10
  @Test
  void findsAKeyThatComesWithAnotherBody() throws Exception {
    try (var ledger = new Ledger()) {
      ledger.arrive("k", call("a"), Instant.now());
      ledger.arrive("k", call("a"), Instant.now());
      assertThat(invariants.ofLedger(ledger, 1)).isEmpty();

      ledger.arrive("k", call("b"), Instant.now());

      assertThat(invariants.ofLedger(ledger, 2)).hasSize(1).first().asString().contains("I10");
    }
  }

  /// I10
  @Test
  void findsMoreRepeatsThanTheFaultsExplain() throws Exception {
    try (var ledger = new Ledger()) {
      ledger.arrive("k", call("a"), Instant.now());
      ledger.arrive("k", call("a"), Instant.now());

      assertThat(invariants.ofLedger(ledger, 0)).hasSize(1).first().asString().contains("I10");
    }
  }

  /// I10
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          insert into recorded_task values ('r', 1, 'work:d') | 1
          insert into recorded_task values ('r', 1, 'work') | 0
          insert into recorded_task values ('r', 2, 'work:d') | 0
          insert into checkpoint values ('r', 5, 1, '{"t": [{"n": "work", "d": "d"}]}', now(), 'step', 1) | 1
          insert into checkpoint values ('r', 5, 1, '{"t": [{"n": "work", "d": "d"}]}', now(), 'step', 2) | 0
          insert into checkpoint values ('r', 5, 1, '{"t": [{"n": "work", "d": "e"}]}', now(), 'step', 1) | 0
          insert into checkpoint values ('r', 5, 1, '{"t": [{"n": "work", "d": "d"}]}', now(), 'hold', 1) | 0
          """)
  void findsACallThatComesAgainAlthoughItsOutcomeIsKnown(String row, int found) throws Exception {
    try (var ledger = new Ledger(new Outcomes(() -> jdbc)::had)) {
      ledger.arrive("k", call("d"), Instant.now());
      jdbc.sql(row).update();
      assertThat(invariants.ofLedger(ledger, 0)).isEmpty();
      ledger.arrive("k", call("d"), Instant.now().minusSeconds(60)); // late, but begun before
      assertThat(invariants.ofLedger(ledger, 1)).isEmpty();

      ledger.arrive("k", call("d"), Instant.now().plusSeconds(60));

      assertThat(invariants.ofLedger(ledger, 2)).hasSize(found);
    }
  }

  private static Value call(String dispatch) {
    return Json.read(
        """
        {"run": {"id": "r"}, "superstep": 1, "node": "work", "dispatch": {"id": "%s"}}
        """
            .formatted(dispatch)
            .getBytes(StandardCharsets.UTF_8));
  }

  /// I11
  @Test
  void findsTwoRunsOfOneKey() {
    jdbc.sql("insert into run values ('a', null, 0), ('b', null, 0)").update();

    assertThat(invariants.ofKeys(2)).isEmpty();
    assertThat(invariants.ofKeys(1)).hasSize(1).first().asString().startsWith("I11");
  }

  /// E41
  @Test
  void findsARunThatIsBegunTwiceAndOneThatIsLeftBehind() {
    jdbc.sql("insert into run values ('p', null, 0, 'succeeded'), ('c', null, 0, 'succeeded')")
        .update();
    jdbc.sql("insert into child_run values ('c', 'p', 1, 'kid', 'k')").update();
    assertThat(invariants.ofFamilies()).isEmpty();

    jdbc.sql("insert into run values ('d', null, 0, 'running')").update();
    jdbc.sql("insert into child_run values ('d', 'p', 1, 'kid', 'k')").update();

    assertThat(invariants.ofFamilies())
        .satisfiesExactlyInAnyOrder(
            it -> assertThat(it).contains("kid:k", "2 runs"),
            it -> assertThat(it).contains("run d", "running"));
    assertThat(invariants.ofKeys(1)).isEmpty();
  }

  /// C33
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          update thread set runs = 4 | its counter is 4
          update run set ordinal = 5 where id = 'old' | has ordinal 5
          update run set turn = 4 where id = 'old' | 2 runs have turn 4
          update run set turn = 2 where id = 'last' | run last has committed last and has turn 2; the head has 3
          update run set started_at = now() where id = 'old' | run old has committed last
          """)
  void findsAThreadWhoseHeadIsNotItsLastRun(String damage, String found) {
    jdbc.sql("insert into thread values ('t', 5)").update();
    jdbc.sql(
            """
            insert into run
            values ('old', null, 1, 'succeeded', 't', 0, 3, now() - interval '9 minutes'),
                   ('last', null, 1, 'succeeded', 't', 1, 4, now() - interval '8 minutes'),
                   ('rolled back', null, 1, 'cancelled', 't', 2, null, now())
            """)
        .update();
    jdbc.sql(
            """
            insert into checkpoint (run, number, committed_at)
            values ('old', 1, now() - interval '5 minutes'),
                   ('last', 1, now() - interval '4 minutes'), ('rolled back', 1, now())
            """)
        .update();
    assertThat(invariants.ofThreads()).isEmpty();

    jdbc.sql(damage).update();

    assertThat(invariants.ofThreads()).anySatisfy(it -> assertThat(it).contains(found));
  }

  /// I12
  @ParameterizedTest
  @CsvSource({
    "running 3 3, queued 3 3, 0",
    "running 3 3, running 2 3, 1",
    "running 3 3, running 3 2, 1",
    "succeeded 3 3, running 3 3, 1",
    "cancelled 3 3, queued 3 3, 1",
    "cancelling 3 3, running 3 3, 1",
    "cancelling 3 3, cancelled 3 3, 0"
  })
  void findsARunThatGoesBackwards(String before, String after, int violations) {
    var sightings = new Sightings();
    sightings.see("run", seen(before));
    sightings.see("run", seen(after));

    assertThat(sightings.violations()).hasSize(violations);
  }

  private static Seen seen(String text) {
    var parts = text.split(" ", 3);
    return new Seen(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]));
  }

  @Test
  void findsAResultThatIsNotThatOfAnUndisturbedRun() {
    var expected = Map.of("loop", "aa");
    var shapes = Map.of("run", "loop");

    assertThat(Invariants.ofHashes(expected, shapes, Map.of("run", "aa"))).isEmpty();
    assertThat(Invariants.ofHashes(expected, shapes, Map.of("run", "bb"))).hasSize(1);
  }

  /// The fence, as the database sees it.
  @Test
  void findsRowsThatAreWrittenByAnybodyButTheOwner() {
    var referee = new Referee(jdbc);
    referee.watch();
    jdbc.sql("insert into run values ('a', 'owner', 0)").update();
    jdbc.sql("update run set checkpoint = 1").update();
    jdbc.sql("insert into recorded_task values ('a', 1, 'task')").update();
    assertThat(referee.accepted()).isEmpty();

    jdbc.sql("update referee_owner set login = 'referee_other'").update();
    jdbc.sql("update run set checkpoint = 2").update();
    jdbc.sql("insert into recorded_task values ('a', 1, 'task')").update();

    assertThat(referee.accepted()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          update run set lease_epoch = lease_epoch + 1 where id = ? and lease_epoch = ? | update run set lease_epoch = lease_epoch + 1 where id = ? and (lease_epoch = ? or true)
          do update set lease_epoch = excluded.lease_epoch | do update set lease_epoch = excluded.lease_epoch
          where run.lease_epoch = wanted.epoch | where (run.lease_epoch = wanted.epoch or true)
          """)
  void takesTheFenceOutOfConditionsOnly(String sql, String mutated) {
    assertThat(new WithoutFence().mutated(sql)).isEqualTo(mutated);
  }
}
