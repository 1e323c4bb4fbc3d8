package dev.superstep.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.schedule.ScheduleParts.Recorder;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/// The contract of the ports [WakeUps] and [Replica]. It knows no table.
@SpringBootTest(
    classes = ScheduleParts.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {"superstep.lease=2s", "superstep.poll=50ms"})
class WakeUpsTests {
  private static final Duration MOMENT = Duration.ofMillis(400);

  @Autowired private WakeUps wakeUps;
  @Autowired private Replica replica;
  @Autowired private DatabaseClock clock;
  @Autowired private Recorder recorder;
  @Autowired private TransactionTemplate transaction;
  @Autowired private JdbcClient jdbc;
  @Autowired private ScheduledRows rows;

  @Test
  void wakesARunOnceItsTransactionHasCommitted() {
    transaction.executeWithoutResult(_ -> {
      wakeUps.schedule("committed", 1, clock.instant(), 0);
      await().during(MOMENT).until(() -> !recorder.woken.contains("committed/1"));
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

  /// A clock that was wrong for a moment has scheduled it.
  @Test
  void movesAWakeUpThatIsDueButScheduledForMuchLater() {
    wakeUps.schedule("wrong", 1, clock.instant().plus(Duration.ofDays(5 * 365)), 0);

    wakeUps.reschedule(List.of(new Wake("wrong", 1, clock.instant(), 0)));

    await().untilAsserted(() -> assertThat(recorder.woken).contains("wrong/1"));
  }

  @Test
  void leavesAWakeUpThatIsTriedAgainSoon() {
    var soon = clock.instant().plus(Duration.ofSeconds(5));
    wakeUps.schedule("soon", 1, soon, 0);

    wakeUps.reschedule(List.of(new Wake("soon", 1, clock.instant(), 0)));
    wakeUps.schedule("witness", 1, clock.instant(), 0);

    await().untilAsserted(() -> assertThat(recorder.woken).contains("witness/1"));
    assertThat(recorder.woken).doesNotContain("soon/1");
  }

  @Test
  void wakesAtTheTimeThatWasGiven() {
    wakeUps.schedule("later", 1, clock.instant().plus(MOMENT.multipliedBy(5)), 0);
    wakeUps.schedule("sooner", 1, clock.instant(), 0);

    await().untilAsserted(() -> assertThat(recorder.woken).contains("later/1"));
    assertThat(recorder.woken).containsSubsequence("sooner/1", "later/1");
  }

  @Test
  void forgetsAWakeUpThatIsCancelled() {
    var soon = clock.instant().plus(MOMENT.multipliedBy(5));
    wakeUps.schedule("cancelled", 1, soon, 0);
    wakeUps.schedule("kept", 1, soon.plusMillis(1), 0);

    wakeUps.cancel("cancelled", 1);

    await().untilAsserted(() -> assertThat(recorder.woken).contains("kept/1"));
    assertThat(recorder.woken).doesNotContain("cancelled/1");
  }

  @Test
  void wakesAgainWhenTheReplicaWasFull() {
    recorder.full.set(1);
    wakeUps.schedule("crowded", 7, clock.instant(), 0);

    await()
        .untilAsserted(() -> assertThat(recorder.woken).filteredOn("crowded/7"::equals).hasSize(2));
  }

  /// For a replica that takes runs of some only; ids of tenants have a slash.
  @Test
  void listsWhatIsDueOfOthersThanThese() {
    replica.pauseClaims();
    try {
      for (var run : List.of("acme/due-x", "acme/due-y", "globex/due-z", "due-own")) {
        jdbc.sql(
                """
                insert into run (id, graph, version, status, caller, wake)
                values (?, 'g', 1, 'queued', right(?, 1), 7)
                """)
            .params(run, run)
            .update();
        wakeUps.schedule(run, 7, clock.instant(), 0);
      }

      assertThat(due(List.of(), List.of()))
          .containsExactlyInAnyOrder("acme/due-x", "acme/due-y", "globex/due-z", "due-own");
      assertThat(due(List.of("globex"), List.of("acme/x", "default/x")))
          .containsExactlyInAnyOrder("acme/due-y", "due-own");
    } finally {
      replica.resumeClaims();
    }
  }

  private List<String> due(List<String> exceptTenants, List<String> exceptShares) {
    return wakeUps.due(exceptTenants, exceptShares, 100).stream()
        .map(WakeUps.Due::run)
        .filter(it -> it.contains("due-"))
        .toList();
  }

  @Test
  void wakesNoRunWhileClaimsArePaused() {
    await().until(() -> replica.taking().isPresent());
    replica.pauseClaims();
    assertThat(replica.taking()).isEmpty();
    assertThat(replica.id()).isPresent();
    // Wake-ups that had been fetched before are still delivered.
    await().during(MOMENT.dividedBy(2)).until(() -> true);
    wakeUps.schedule("paused", 1, clock.instant(), 0);

    await().during(MOMENT).until(() -> !recorder.woken.contains("paused/1"));

    replica.resumeClaims();
    await().untilAsserted(() -> assertThat(recorder.woken).contains("paused/1"));
  }

  /// Those of the release before, whose replicas execute them, stand in no one's way.
  @Test
  void leavesExecutionsAloneThatItDoesNotKnow() {
    for (int i = 0; i < 30; i++) {
      rows.insertUnknown("unknown-" + i + "/1");
    }
    wakeUps.schedule("known", 1, clock.instant(), 0);

    await().untilAsserted(() -> assertThat(recorder.woken).contains("known/1"));
    assertThat(IntStream.range(0, 30)).allMatch(it -> rows.isFree("unknown-" + it + "/1"));
    IntStream.range(0, 30).forEach(it -> rows.deleteWakeUps("unknown-" + it));
  }

  @Test
  void runsRecurringJobs() {
    int before = recorder.rounds.get();

    await().untilAsserted(() -> assertThat(recorder.rounds.get()).isGreaterThan(before + 1));
  }

  @Test
  void pollsUnderTheNameOfThisProcess() {
    await().until(() -> replica.id().isPresent());

    await().untilAsserted(() -> assertThat(recorder.polls).contains(replica.id().orElseThrow()));
  }

  /// The view is the part of the port that statements use.
  @Test
  void listsTheReplicasThatAreAlive() {
    await().until(() -> replica.id().isPresent());
    var id = replica.id().orElseThrow();

    assertThat(wakeUps.replicas()).contains(id);
    assertThat(jdbc.sql("select name from replica").query(String.class).list()).contains(id);
    assertThat(wakeUps.replicas()).doesNotContain("stranger");
  }
}
