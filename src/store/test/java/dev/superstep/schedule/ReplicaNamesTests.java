package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.schedule.ScheduleParts.Recorder;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/// How a process gets its name, keeps it and loses it.
@SpringBootTest(
    classes = ScheduleParts.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {"superstep.lease=2s", "superstep.poll=50ms"})
class ReplicaNamesTests {
  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration LEASE = Duration.ofSeconds(6);

  @Autowired private WakeUps wakeUps;
  @Autowired private Replica replica;
  @Autowired private Recorder recorder;
  @Autowired private ScheduledRows rows;
  private String id = "";

  @BeforeEach
  void joins() {
    await().until(() -> replica.id().isPresent());
    id = replica.id().orElseThrow();
  }

  private void awaitAnotherName() {
    await().untilAsserted(() -> assertThat(replica.id()).isPresent().get().isNotEqualTo(id));
  }

  @Test
  void reportsAReplicaWhoseHeartbeatIsOld() {
    rows.insertReplica("ghost", LONG, LEASE);

    await().untilAsserted(() -> assertThat(recorder.dead).contains("ghost"));
    await().untilAsserted(() -> assertThat(wakeUps.replicas()).doesNotContain("ghost"));
  }

  @Test
  void keepsItsOwnHeartbeatAlive() {
    var beat = rows.heartbeat(id);

    await().untilAsserted(() -> assertThat(rows.heartbeat(id)).isAfter(beat.plusSeconds(1)));
    assertThat(recorder.dead).doesNotContain(id);
  }

  /// Others take it for dead a lease after its last heartbeat, whatever else it can do.
  @Test
  void beginsNothingWithoutHeartbeatsAlthoughTheDatabaseAnswers() {
    rows.stopHeartbeats();
    try {
      await().until(() -> replica.id().isEmpty());
      assertThat(rows.isReplica(id)).isTrue();
    } finally {
      rows.letHeartbeatsPass();
    }

    await().untilAsserted(() -> assertThat(replica.id()).contains(id));
  }

  @Test
  void joinsUnderANewNameAfterItWasTakenForDead() {
    rows.deleteReplica(id);

    await().untilAsserted(() -> assertThat(recorder.lost).contains(id));
    awaitAnotherName();
  }

  /// The first attempt to join fails: a process that gave up then would never be ready again.
  @Test
  void joinsForAsLongAsItHasNoName() {
    rows.refuseNames();
    rows.deleteReplica(id);
    await().untilAsserted(() -> assertThat(rows.refusals()).isGreaterThan(1));
    assertThat(replica.id()).isEmpty();

    rows.acceptNames();

    awaitAnotherName();
  }

  @Test
  void joinsSoonAfterItsLeaseCouldNotBeWrittenDown() {
    rows.refuseOneLease();
    rows.deleteReplica(id);

    awaitAnotherName();

    assertThat(rows.acceptLeases()).isGreaterThan(1);
  }

  @Test
  void judgesAReplicaThatSaysNoLeaseByItsOwn() {
    rows.insertReplica("older", LONG);

    await().until(() -> !rows.isReplica("older"));
  }

  @Test
  void judgesEachReplicaByTheLeaseInItsRow() {
    assertThat(rows.lease(id)).isEqualTo(Duration.ofSeconds(2));
    rows.insertReplica("patient", Duration.ofSeconds(30), Duration.ofMinutes(10));
    rows.insertReplica("hasty", Duration.ofSeconds(1), Duration.ofMillis(900));

    await().untilAsserted(() -> assertThat(recorder.dead).contains("hasty"));
    await().untilAsserted(() -> assertThat(wakeUps.replicas()).doesNotContain("hasty"));
    assertThat(recorder.dead).doesNotContain("patient");
    assertThat(wakeUps.replicas()).contains("patient");
  }

  /// The name is there for a process that has none; no process needs it here.
  @Test
  void leavesNoNamesBehindThatNobodyNeeds() {
    rows.insertFreeName("spare");

    await().untilAsserted(() -> assertThat(wakeUps.replicas()).doesNotContain("spare"));
  }
}
