package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.schedule.ScheduleParts.Recorder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/// What a process does when the database has another history than before.
@SpringBootTest(
    classes = ScheduleParts.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {"superstep.lease=2s", "superstep.poll=50ms"})
class ErasTests {
  private static final Duration LEASE = Duration.ofSeconds(2);

  @Autowired private Replica replica;
  @Autowired private Recorder recorder;
  @Autowired private ScheduledRows rows;
  @Autowired private DatabaseClock clock;
  @Autowired private WakeUps wakeUps;
  @Autowired private JdbcClient jdbc;
  @Autowired private PlatformTransactionManager transactions;
  private String id = "";
  private int era;

  @BeforeEach
  void joins() {
    await().until(() -> replica.id().isPresent());
    id = replica.id().orElseThrow();
    era = era();
  }

  private int era() {
    return jdbc.sql("select database_era()").query(Integer.class).single();
  }

  private void promote() {
    jdbc.sql("update database_era set timeline = '00000000' where era = ?").param(era).update();
  }

  private void awaitAnotherName() {
    await().untilAsserted(() -> assertThat(replica.id()).isPresent().get().isNotEqualTo(id));
  }

  @Test
  void beginsAnewOnAnotherTimeline() {
    promote();

    awaitAnotherName();

    assertThat(era()).isEqualTo(era + 1);
    assertThat(recorder.left).contains(id);
    assertThat(recorder.dead).doesNotContain(id);
    await().until(() -> !wakeUps.replicas().contains(id));
  }

  @Test
  void beginsAnewOnAnotherServer() {
    jdbc.sql("update database_era set system_identifier = '0' where era = ?").param(era).update();

    awaitAnotherName();

    assertThat(era()).isEqualTo(era + 1);
  }

  /// Servers that do not tell their timeline go back as well.
  @Test
  void beginsAnewWhenItsCountHasFallen() {
    var counted = "select beats > 1 from scheduled_duties where task_instance = ?";
    await().until(() -> jdbc.sql(counted).param(id).query(Boolean.class).single());
    jdbc.sql("update scheduled_duties set beats = beats - 2 where task_instance = ?")
        .param(id)
        .update();

    awaitAnotherName();

    assertThat(era()).isGreaterThan(era);
    assertThat(recorder.left).contains(id);
  }

  /// A machine without a free processor reads late what the database has answered in time.
  @Test
  void takesLateAnswersForNoOtherHistory() {
    for (int round = 0; round < 5; round++) {
      clock.adjust(clock.nanos() - LEASE.toNanos(), clock.instant());
      var beat = rows.heartbeat(id);
      await().until(() -> rows.heartbeat(id).isAfter(beat));
      var next = rows.heartbeat(id);
      await().until(() -> !rows.heartbeat(id).equals(next));
    }

    assertThat(replica.id()).contains(id);
    assertThat(era()).isEqualTo(era);
  }

  /// Another replica was faster, or this one has missed an era.
  @Test
  void beginsAnewWhenAnotherHasSeenTheHistoryChange() {
    jdbc.sql(
            "insert into database_era select era + 1, system_identifier, timeline from database_era"
                + " where era = ?")
        .param(era)
        .update();

    awaitAnotherName();

    assertThat(era()).isEqualTo(era + 1);
  }

  @Test
  void takesNobodyForDeadBeforeEverybodyHadTimeForAHeartbeat() {
    promote();
    awaitAnotherName();
    long since = System.nanoTime();
    rows.insertReplica("silent", Duration.ofMinutes(1), LEASE);

    await().untilAsserted(() -> assertThat(recorder.dead).contains("silent"));

    // The name was there up to half a second after the change was seen, and the watch of the dead
    // looks once a second.
    assertThat(Duration.ofNanos(System.nanoTime() - since)).isGreaterThan(LEASE.dividedBy(2));
  }

  /// So does a primary whose place another has taken, where others own what runs here by then.
  @Test
  void dropsWhatItDrivesWhenTheDatabaseTakesNoWritesForALease() {
    takeNoWrites();
    try {
      await().untilAsserted(() -> assertThat(recorder.lost).contains(id));
      assertThat(replica.id()).isEmpty();
      assertThat(recorder.left).doesNotContain(id);
    } finally {
      takeWrites();
    }

    awaitAnotherName();

    assertThat(recorder.left).contains(id);
    assertThat(recorder.dead).doesNotContain(id);
    assertThat(era()).isEqualTo(era);
    await().until(() -> !wakeUps.replicas().contains(id));
  }

  private void takeNoWrites() {
    jdbc.sql("alter database " + database() + " set default_transaction_read_only = on").update();
    endSessions();
  }

  private void takeWrites() {
    new TransactionTemplate(transactions)
        .executeWithoutResult(_ -> {
          jdbc.sql("set transaction read write").update();
          jdbc.sql("alter database " + database() + " reset default_transaction_read_only")
              .update();
        });
    endSessions();
  }

  private String database() {
    return jdbc.sql("select current_database()").query(String.class).single();
  }

  /// A session keeps the default with which it has begun.
  private void endSessions() {
    jdbc.sql(
            """
            select pg_terminate_backend(pid) from pg_stat_activity
             where datname = current_database() and pid <> pg_backend_pid()
            """)
        .query()
        .listOfRows();
  }

  @Test
  void countsTheEpochsOfEachEraAboveThoseBefore() {
    promote();
    awaitAnotherName();

    assertThat(next(0)).isEqualTo(((long) era << 32) + 1);
    assertThat(next(7)).isEqualTo(((long) era << 32) + 1);
    assertThat(next(((long) era << 32) + 5)).isEqualTo(((long) era << 32) + 6);
  }

  /// A claim may come before the watch has looked.
  @Test
  void countsTheEpochsOfANewEraBeforeAnybodyHasStoredIt() {
    var transaction = new TransactionTemplate(transactions);

    var epoch =
        transaction.execute(status -> {
          promote();
          status.setRollbackOnly();
          return next(3);
        });

    assertThat(epoch).isEqualTo(((long) era << 32) + 1);
  }

  private long next(long epoch) {
    return jdbc.sql("select next_epoch(?)").param(epoch).query(Long.class).single();
  }
}
