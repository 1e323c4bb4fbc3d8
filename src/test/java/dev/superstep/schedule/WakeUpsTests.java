package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.database.TestDatabase;
import dev.superstep.schedule.db.DbWakeUps;
import dev.superstep.schedule.db.ScheduleConfiguration;
import dev.superstep.schedule.replica.DatabaseClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// The contract of the port, run against db-scheduler on PostgreSQL.
@SpringBootTest(
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {"superstep.lease=2s", "superstep.poll=50ms", "db-scheduler.enabled=false"})
class WakeUpsTests {
  @Autowired private WakeUps wakeUps;
  @Autowired private Replica replica;
  @Autowired private DatabaseClock clock;
  @Autowired private Recorder recorder;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcClient jdbc;

  @Test
  void wakesARunOnceItsTransactionHasCommitted() {
    transaction.executeWithoutResult(_ -> {
      wakeUps.schedule("committed", 1, clock.instant(), 0);
      assertThat(recorder.woken).doesNotContain("committed/1");
    });

    await().untilAsserted(() -> assertThat(recorder.woken).contains("committed/1"));
  }

  @Test
  void schedulesNothingInATransactionThatRollsBack() {
    transaction.executeWithoutResult(status -> {
      wakeUps.schedule("rolled-back", 1, clock.instant(), 0);
      status.setRollbackOnly();
    });
    wakeUps.schedule("afterwards", 1, clock.instant(), 0);

    await().untilAsserted(() -> assertThat(recorder.woken).contains("afterwards/1"));
    assertThat(recorder.woken).doesNotContain("rolled-back/1");
  }

  @Test
  void keepsTheFirstOfTwoWakeUpsWithOneNumber() {
    var later = clock.instant().plus(Duration.ofHours(1));
    transaction.executeWithoutResult(_ -> {
      wakeUps.schedule("twice", 1, later, 0);
      wakeUps.schedule("twice", 1, clock.instant(), 0);
      wakeUps.schedule("twice", 2, clock.instant(), 0);
    });

    await().untilAsserted(() -> assertThat(recorder.woken).contains("twice/2"));
    assertThat(recorder.woken).doesNotContain("twice/1");
  }

  @Test
  void wakesAgainWhenTheReplicaWasFull() {
    recorder.full.set(1);
    wakeUps.schedule("crowded", 7, clock.instant(), 0);

    await()
        .untilAsserted(() -> assertThat(recorder.woken).filteredOn("crowded/7"::equals).hasSize(2));
  }

  @Test
  void reportsAReplicaWhoseHeartbeatIsOld() {
    await().until(() -> replica.id().isPresent());
    insertReplica("ghost", clock.instant().minusSeconds(60), 6_000);

    await().untilAsserted(() -> assertThat(recorder.dead).contains("ghost"));
    await().untilAsserted(() -> assertThat(wakeUps.replicas()).doesNotContain("ghost"));
  }

  @Test
  void keepsItsOwnHeartbeatAlive() {
    await().until(() -> replica.id().isPresent());
    var id = replica.id().orElseThrow();
    var beat = heartbeat(id);

    await().untilAsserted(() -> assertThat(heartbeat(id)).isAfter(beat.plusSeconds(1)));
    assertThat(recorder.dead).doesNotContain(id);
  }

  @Test
  void joinsUnderANewNameAfterItWasTakenForDead() {
    await().until(() -> replica.id().isPresent());
    var id = replica.id().orElseThrow();
    jdbc.sql("delete from scheduled_duties where task_instance = ?").param(id).update();

    await().untilAsserted(() -> assertThat(recorder.lost).contains(id));
    await().untilAsserted(() -> assertThat(replica.id()).isPresent().get().isNotEqualTo(id));
  }

  /// The first attempt to join fails: a process that gave up then would never be ready again.
  @Test
  void joinsForAsLongAsItHasNoName() {
    await().until(() -> replica.id().isPresent());
    var id = replica.id().orElseThrow();
    jdbc.sql(
            """
            create function no_entry() returns trigger language plpgsql as
            $$ begin
              perform nextval('refused');
              return null;
            end $$;
            create sequence refused;
            create trigger no_entry before insert on scheduled_duties
              for each row when (new.task_name = 'replica') execute function no_entry();
            """)
        .update();
    jdbc.sql("delete from scheduled_duties where task_instance = ?").param(id).update();
    await().untilAsserted(() -> assertThat(refused()).isGreaterThan(1));
    assertThat(replica.id()).isEmpty();

    jdbc.sql("drop trigger no_entry on scheduled_duties").update();

    await().untilAsserted(() -> assertThat(replica.id()).isPresent().get().isNotEqualTo(id));
  }

  @Test
  void joinsSoonAfterItsLeaseCouldNotBeWrittenDown() {
    await().until(() -> replica.id().isPresent());
    var id = replica.id().orElseThrow();
    jdbc.sql(
            """
            create sequence unwritten;
            create function no_lease() returns trigger language plpgsql as
            $$ begin
              if nextval('unwritten') = 1 then
                raise exception 'not now';
              end if;
              return new;
            end $$;
            create trigger no_lease before update of lease_ms on scheduled_duties
              for each row when (new.task_name = 'replica') execute function no_lease();
            """)
        .update();
    jdbc.sql("delete from scheduled_duties where task_instance = ?").param(id).update();

    await().untilAsserted(() -> assertThat(replica.id()).isPresent().get().isNotEqualTo(id));
    assertThat(jdbc.sql("select last_value from unwritten").query(Long.class).single())
        .isGreaterThan(1);
    jdbc.sql(
            "drop trigger no_lease on scheduled_duties; drop function no_lease; drop sequence"
                + " unwritten")
        .update();
  }

  @Test
  void judgesAReplicaThatSaysNoLeaseByItsOwn() {
    await().until(() -> replica.id().isPresent());
    insertReplica("older", clock.instant().minusSeconds(60), 6_000);
    jdbc.sql("update scheduled_duties set lease_ms = null where task_instance = 'older'").update();

    await().until(() -> !clusterKnows("older"));
  }

  private boolean clusterKnows(String id) {
    return jdbc.sql("select exists (select from scheduled_duties where task_instance = ?)")
        .param(id)
        .query(Boolean.class)
        .single();
  }

  private long refused() {
    return jdbc.sql("select last_value from refused").query(Long.class).single();
  }

  @Test
  void judgesEachReplicaByTheLeaseInItsRow() {
    await().until(() -> replica.id().isPresent());
    assertThat(leaseMs(replica.id().orElseThrow())).isEqualTo(2_000);
    insertReplica("patient", clock.instant().minusSeconds(30), 600_000);
    insertReplica("hasty", clock.instant().minusSeconds(1), 900);

    await().untilAsserted(() -> assertThat(recorder.dead).contains("hasty"));
    await().untilAsserted(() -> assertThat(wakeUps.replicas()).doesNotContain("hasty"));
    assertThat(recorder.dead).doesNotContain("patient");
    assertThat(wakeUps.replicas()).contains("patient");
  }

  /// The name is there for a process that has none; no process needs it here.
  @Test
  void leavesNoNamesBehindThatNobodyNeeds() {
    await().until(() -> replica.id().isPresent());
    jdbc.sql(
            """
            insert into scheduled_duties (task_name, task_instance, execution_time, picked, version)
            values ('replica', 'spare', now(), false, 1)
            """)
        .update();

    await().untilAsserted(() -> assertThat(wakeUps.replicas()).doesNotContain("spare"));
  }

  private long leaseMs(String id) {
    return jdbc.sql("select lease_ms from scheduled_duties where task_instance = ?")
        .param(id)
        .query(Long.class)
        .single();
  }

  private Instant heartbeat(String id) {
    return jdbc.sql("select last_heartbeat from scheduled_duties where task_instance = ?")
        .param(id)
        .query(Instant.class)
        .single();
  }

  private void insertReplica(String id, Instant heartbeat, int leaseMs) {
    jdbc.sql(
            """
            insert into scheduled_duties (task_name, task_instance, execution_time, picked,
                                         picked_by, last_heartbeat, version, priority, lease_ms)
            values ('replica', ?, now(), true, 'gone', ?::timestamptz, 1, 0, ?)
            """)
        .params(id, heartbeat.toString(), leaseMs)
        .update();
  }

  @Configuration
  @ImportAutoConfiguration({
    DataSourceAutoConfiguration.class,
    DataSourceTransactionManagerAutoConfiguration.class,
    JdbcTemplateAutoConfiguration.class,
    JdbcClientAutoConfiguration.class,
    TransactionAutoConfiguration.class,
    FlywayAutoConfiguration.class
  })
  @EnableConfigurationProperties(ScheduleSettings.class)
  @Import({
    TestDatabase.class,
    ScheduleConfiguration.class,
    DatabaseClock.class,
    DbWakeUps.Connections.class,
    DbWakeUps.Connections.Drivers.class,
    DbWakeUps.Connections.Own.class,
    DbWakeUps.Announced.class,
    DbWakeUps.class
  })
  static class Parts {
    @Bean
    NotificationListener hintListener() {
      return new NotificationListener() {
        @Override
        public void onNotification(String sender, ReplicaNotifications.Kind kind, String run) {}

        @Override
        public void onLiveText(String text) {}

        @Override
        public void missedSome() {}
      };
    }

    @Bean
    Recorder recorder() {
      return new Recorder();
    }
  }

  static final class Recorder implements WakeHandler {
    final List<String> woken = new CopyOnWriteArrayList<>();
    final List<String> dead = new CopyOnWriteArrayList<>();
    final List<String> lost = new CopyOnWriteArrayList<>();
    final AtomicInteger full = new AtomicInteger();

    @Override
    public Handled wake(String run, long number, String replica) {
      woken.add(run + "/" + number);
      return full.getAndUpdate(it -> Math.max(0, it - 1)) > 0 ? Handled.FULL : Handled.DONE;
    }

    @Override
    public void replicaDied(String id) {
      dead.add(id);
    }

    @Override
    public void replicaLost(String id) {
      lost.add(id);
    }

    @Override
    public void drain(Duration atMost) {}
  }
}
