package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.database.HistoryChanged;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunStatus;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@StoreTest
class RestingCheckpointsTests {
  @Autowired private PostgresBackend backend;
  @Autowired private RestingCheckpoints resting;
  private SampleRun run;
  private Lease lease;

  @BeforeEach
  void startARun() {
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = backend.claim(run.id(), run.graph).lease();
  }

  private void hold(RunStatus status) {
    var asks = run.asks(run.task(SampleRun.A), run.id());
    backend.store().commit(lease, run.hold(status, 0, asks));
  }

  private Checkpoint stored() {
    resting.forget(new HistoryChanged(1));
    return backend.claim(run.id(), run.graph).checkpoint();
  }

  private Instant heldAt() {
    return backend
        .jdbc()
        .sql("select committed_at from checkpoint where run = ? and number = 1")
        .param(run.id())
        .query(OffsetDateTime.class)
        .single()
        .toInstant();
  }

  private Lease next() {
    return new Lease(run.id(), lease.epoch() + 1);
  }

  @Test
  void keepsWhatLoadingReads() {
    hold(RunStatus.INTERRUPTED);

    var claimed = backend.claim(run.id(), run.graph).checkpoint();

    assertThat(claimed.held()).hasSize(1);
    assertThat(claimed).isEqualTo(stored());
  }

  @Test
  void isTakenOnceByTheNextLease() {
    hold(RunStatus.INTERRUPTED);
    var at = heldAt();

    assertThat(resting.take(next(), 1, at)).isPresent();
    assertThat(resting.take(next(), 1, at)).isEmpty();
  }

  @Test
  void isNotTakenBehindAnotherLease() {
    hold(RunStatus.INTERRUPTED);

    assertThat(resting.take(new Lease(run.id(), lease.epoch() + 2), 1, heldAt())).isEmpty();
  }

  @Test
  void isNotTakenForALaterCheckpoint() {
    hold(RunStatus.INTERRUPTED);

    assertThat(resting.take(next(), 2, heldAt())).isEmpty();
  }

  /// A run that has been erased, and another with its id.
  @Test
  void isNotTakenForACheckpointOfAnotherTime() {
    hold(RunStatus.INTERRUPTED);

    assertThat(resting.take(next(), 1, heldAt().plusMillis(1))).isEmpty();
  }

  @Test
  void keepsNothingOfARunThatHasFailed() {
    hold(RunStatus.FAILED);

    assertThat(resting.take(next(), 1, heldAt())).isEmpty();
  }
}
