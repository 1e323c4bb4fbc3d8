package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoreTestConfiguration.RecordedWakeUps;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.schedule.Wake;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// Whoever has to look at a run that its driver leaves is told so by the same transaction (E33).
@StoreTest
class WakeUpsOfCommitsTests {
  @Autowired private PostgresBackend backend;
  @Autowired private RecordedWakeUps wakeUps;
  private SampleRun run;
  private Lease lease;

  @BeforeEach
  void startARun() {
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = backend.claim(run.id(), run.graph).lease();
  }

  private List<Wake> wakes() {
    return wakeUps.wakes.stream().filter(it -> it.run().equals(run.id())).toList();
  }

  private RunHead sleeping(RunStatus status, Instant until) {
    return new RunHead(
        status,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.of(until),
        RunHead.Passed.NONE,
        Duration.ZERO);
  }

  @Test
  void wakesAWaitingRunWhenItIsDue() {
    backend.store().commit(lease, run.onlyHead(sleeping(RunStatus.WAITING, SampleRun.THEN), "x"));

    assertThat(wakes()).containsExactly(new Wake(run.id(), 1, SampleRun.THEN, 0));
    assertThat(owner()).isEmpty();
  }

  /// E37
  @Test
  void wakesAnInterruptedRunWhenItsQuestionExpires() {
    var runHead = sleeping(RunStatus.INTERRUPTED, SampleRun.THEN);
    backend.store().commit(lease, run.onlyHead(runHead, "x"));

    assertThat(wakes()).hasSize(1);
  }

  @Test
  void wakesAnyReplicaForARunThatIsHandedBack() {
    var result = backend.store().commit(lease, run.onlyHead(run.head(RunStatus.QUEUED), "x"));

    assertThat(result).isNotNull();
    assertThat(wakes()).extracting(Wake::number).containsExactly(1L);
    assertThat(owner()).isEmpty();
  }

  @Test
  void wakesNobodyForARunThatGoesOn() {
    backend.store().commit(lease, run.step("one"));

    assertThat(wakes()).isEmpty();
    assertThat(owner()).contains("me");
  }

  @Test
  void wakesNobodyForARunThatWaitsForAPerson() {
    var asks = run.asks(run.task(SampleRun.A), run.id());
    backend.store().commit(lease, run.hold(RunStatus.INTERRUPTED, 0, asks));

    assertThat(wakes()).isEmpty();
    assertThat(owner()).isEmpty();
  }

  private Optional<String> owner() {
    return backend
        .jdbc()
        .sql("select coalesce(owner, '') from run where id = ?")
        .param(run.id())
        .query(String.class)
        .optional()
        .filter(it -> !it.isEmpty());
  }
}
