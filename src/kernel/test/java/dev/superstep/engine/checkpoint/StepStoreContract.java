package dev.superstep.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.SampleRun;
import dev.superstep.engine.StoreBackend;
import dev.superstep.engine.checkpoint.StepRecord.StepEnd;
import dev.superstep.engine.checkpoint.StepRecord.StepKind;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.CheckpointStore.StepWrite;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.TaskError;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every checkpoint store promises of steps (E53).
public abstract class StepStoreContract {
  private final UUID attempt = UUID.randomUUID();
  private StoreBackend backend;
  private CheckpointStore store;
  private SampleRun run;
  private Lease lease;

  protected abstract StoreBackend backend();

  @BeforeEach
  void startARunOfSteps() {
    backend = backend();
    store = backend.store();
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = claim();
  }

  private Lease claim() {
    return backend.claim(run.id(), run.graph).lease();
  }

  private static StepRecord step(int ordinal, String result) {
    return new StepRecord(
        ordinal,
        "s" + ordinal,
        StepKind.RUN,
        Optional.of(new StepEnd.StepResult(Value.of(result))));
  }

  private static StepRecord begun(int ordinal) {
    return new StepRecord(ordinal, "s" + ordinal, StepKind.ONCE, Optional.empty());
  }

  private static StepWrite write(String task, UUID by, StepRecord... steps) {
    return new StepWrite(1, task, by, Share.NOBODYS, List.of(steps));
  }

  private List<StepRecord> stored(String task) {
    var all = new ArrayList<StepRecord>();
    var page = store.steps(lease, task, 0);
    all.addAll(page.records());
    while (page.more()) {
      page = store.steps(lease, task, all.getLast().ordinal() + 1);
      assertThat(page.records()).isNotEmpty();
      all.addAll(page.records());
    }
    return all;
  }

  @Test
  void givesTheNextOwnerTheStepsOfATaskInOrder() {
    var failed =
        new StepRecord(
            1,
            "s1",
            StepKind.RUN,
            Optional.of(
                new StepEnd.StepFailure(
                    TaskError.retryable("busy", "later").with("n", Value.of(1)))));
    assertThat(store.record(lease, write("k", attempt, step(2, "c")))).isTrue();
    assertThat(store.record(lease, write("k", attempt, failed, step(0, "a")))).isTrue();
    assertThat(store.record(lease, write("other", attempt, step(0, "x")))).isTrue();
    lease = claim();

    assertThat(stored("k")).containsExactly(step(0, "a"), failed, step(2, "c"));
    assertThat(store.steps(lease, "k", 2).records()).containsExactly(step(2, "c"));
    assertThat(stored("other")).containsExactly(step(0, "x"));
    assertThat(store.steps(lease, "none", 0)).isEqualTo(CheckpointStore.StepPage.NOTHING);
  }

  /// So that nobody holds more of them than a page.
  @Test
  void givesLargeStepsPageByPage() {
    var large = "x".repeat(3_000_000);
    for (int i = 0; i < 4; i++) {
      assertThat(store.record(lease, write("k", attempt, step(i, large + i)))).isTrue();
    }

    assertThat(store.steps(lease, "k", 0).records()).hasSizeBetween(1, 2);
    assertThat(store.steps(lease, "k", 0).more()).isTrue();
    assertThat(stored("k")).extracting(StepRecord::ordinal).containsExactly(0, 1, 2, 3);
  }

  @Test
  void keepsTheFirstRecordOfAPlace() {
    store.record(lease, write("k", attempt, step(0, "first")));

    assertThat(store.record(lease, write("k", UUID.randomUUID(), step(0, "second")))).isFalse();
    assertThat(stored("k")).containsExactly(step(0, "first"));
  }

  /// One that has begun ends, and a write whose acknowledgement was lost is repeated.
  @Test
  void letsAnAttemptRecordItsOwnStepAgain() {
    assertThat(store.record(lease, write("k", attempt, begun(0)))).isTrue();
    assertThat(stored("k")).containsExactly(begun(0));
    assertThat(store.record(lease, write("k", UUID.randomUUID(), begun(0)))).isFalse();
    var ended = new StepRecord(0, "s0", StepKind.ONCE, step(0, "a").end());
    assertThat(store.record(lease, write("k", attempt, ended))).isTrue();
    assertThat(store.record(lease, write("k", attempt, ended))).isTrue();

    assertThat(stored("k")).containsExactly(ended);
  }

  /// The fence: whoever has lost the run records nothing.
  @Test
  void letsNoZombieRecordAStep() {
    var zombie = lease;
    lease = claim();

    assertThatThrownBy(() -> store.record(zombie, write("k", attempt, step(0, "z"))))
        .isInstanceOf(LeaseLostException.class);
    assertThat(stored("k")).isEmpty();
  }

  /// Threads of one driver, and what the driver itself writes.
  @Test
  void recordsStepsSideBySide() throws Exception {
    var calls = new ArrayList<Callable<Boolean>>();
    for (int i = 0; i < 40; i++) {
      var task = "k" + i % 4;
      var step = step(i, "r" + i);
      calls.add(() -> store.record(lease, write(task, attempt, step)));
    }
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var recorded : threads.invokeAll(calls)) {
        assertThat(recorded.get()).isTrue();
      }
    }

    assertThat(stored("k3")).hasSize(10);
    assertThat(store.commit(lease, run.step("one")))
        .isInstanceOf(CheckpointStore.CommitResult.Committed.class);
  }

  /// What is recorded belongs to the superstep behind the last committed one.
  @Test
  void recordsNothingOfASuperstepThatIsCommitted() {
    store.commit(lease, run.step("one"));

    assertThatThrownBy(() -> store.record(lease, write("k", attempt, step(0, "late"))))
        .isInstanceOf(LeaseLostException.class);
    var next = new StepWrite(2, "k", attempt, Share.NOBODYS, List.of(step(0, "a")));
    assertThat(store.record(lease, next)).isTrue();
    assertThat(stored("k")).containsExactly(step(0, "a"));
  }
}
