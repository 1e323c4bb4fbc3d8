package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InvariantQueries;
import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// The fence of slices, and the barrier they come to: durability.md *The fence*.
@StoreTest
class SliceRowsTests {
  private static final int OFTEN = 6;

  @Autowired private PostgresBackend backend;
  @Autowired private SliceRows rows;
  @Autowired private SliceReader reader;
  @Autowired private WideSupersteps supersteps;
  private final String one = "replica-" + UUID.randomUUID();
  private final String two = "replica-" + UUID.randomUUID();
  private SampleRun run;
  private Lease lease;
  private WideSuperstep wide;

  @BeforeEach
  void cutASuperstep() {
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = backend.claim(run.id(), run.graph).lease();
    wide = new WideSuperstep(lease, run.open());
    assertThat(supersteps.open(wide, cut(2))).isTrue();
  }

  /// Two slices of one task each.
  private static WideSupersteps.Cut cut(int lanes) {
    return new WideSupersteps.Cut(0, lanes, 8, List.of(List.of(0), List.of(1)));
  }

  private TakenSlice take() {
    return rows.take(wide, one, OFTEN).orElseThrow();
  }

  private TaskRecord done(String item) {
    return run.done(run.task(SampleRun.A), item);
  }

  private WideSupersteps.LaneStanding standing() {
    return supersteps.status(wide).orElseThrow();
  }

  private List<TaskRecord> recorded() {
    return reader.recorded(wide, List.of(run.task(SampleRun.A), run.task(SampleRun.B)));
  }

  @Test
  void handsEachSliceToOneReplica() {
    var first = take();
    var second = rows.take(wide, two, OFTEN).orElseThrow();

    assertThat(List.of(first.tasks(), second.tasks())).containsExactly(List.of(0), List.of(1));
    assertThat(rows.take(wide, "three", OFTEN)).isEmpty();
    assertThat(standing().free()).isZero();
  }

  /// E12
  @Test
  void keepsToItsLanes() {
    supersteps.withdraw(wide);
    supersteps.open(wide, cut(1));

    var first = take();
    assertThat(rows.take(wide, two, OFTEN)).isEmpty();
    rows.close(first, List.of(), List.of());
    assertThat(rows.take(wide, two, OFTEN)).isPresent();
  }

  /// E10.3: the barrier counter falls once per slice, and outcomes are there by then.
  @Test
  void closesEachSliceOnce() {
    var slice = take();
    rows.record(slice, List.of(done("early")), List.of());
    rows.close(slice, List.of(), List.of());

    assertThatThrownBy(() -> rows.close(slice, List.of(), List.of()))
        .isInstanceOf(SliceLostException.class);
    assertThat(standing().open()).isEqualTo(1);
    assertThat(standing().closed()).containsExactly(slice.number());
    assertThat(recorded()).containsExactly(done("early"));
  }

  /// The first outcome per task and generation wins.
  @Test
  void keepsTheFirstOutcomeOfATask() {
    var slice = take();
    rows.record(slice, List.of(done("first")), List.of());
    rows.close(slice, List.of(done("second")), List.of());

    assertThat(recorded()).containsExactly(done("first"));
  }

  /// A zombie whose slice was given to another replica writes nothing.
  @Test
  void refusesAStaleClaim() {
    var zombie = take();
    assertThat(rows.free(one)).extracting(SliceRows.Held::number).containsExactly(0);
    assertRefused(zombie);

    var heir = rows.take(wide, one, OFTEN).orElseThrow();
    assertThat(heir.number()).isEqualTo(zombie.number());
    assertThat(heir.claim()).isEqualTo(zombie.claim() + 1);
    assertRefused(zombie);
    rows.close(heir, List.of(done("heir")), List.of());
    assertThat(recorded()).containsExactly(done("heir"));
  }

  private void assertRefused(TakenSlice slice) {
    assertThatThrownBy(() -> rows.record(slice, List.of(done("zombie")), List.of()))
        .isInstanceOf(SliceLostException.class);
    assertThatThrownBy(() -> rows.close(slice, List.of(done("zombie")), List.of(told())))
        .isInstanceOf(SliceLostException.class);
    assertThat(recorded()).isEmpty();
  }

  private Event told() {
    return Event.of("task.failed", run.task(SampleRun.A), ObjectValue.empty());
  }

  /// A zombie whose run was taken over writes nothing.
  @Test
  void refusesAStaleEpoch() {
    var zombie = take();
    backend.claim(run.id(), run.graph);

    assertRefused(zombie);
    assertThat(rows.take(wide, one, OFTEN)).isEmpty();
    assertThat(supersteps.open(wide, cut(2))).isFalse();
  }

  /// Every write behind a cancel is refused.
  @Test
  void refusesACancelledRun() {
    var late = take();
    backend.cancel(run.id());

    assertRefused(late);
    assertThat(rows.take(wide, one, OFTEN)).isEmpty();
    assertThat(rows.wanted(one)).isEmpty();
  }

  /// A slice of a superstep that has been committed, or held, writes nothing.
  @Test
  void refusesASliceOfAnEarlierCheckpoint() {
    var late = take();
    backend.store().commit(lease, run.step("meanwhile"));

    assertThatThrownBy(() -> rows.record(late, List.of(done("late")), List.of()))
        .isInstanceOf(SliceLostException.class);
  }

  /// I5, E35: a question of a slice is open once it is recorded; said twice, it is told once.
  @Test
  void opensQuestionsAndTellsOnce() {
    var slice = take();
    var asks = run.asks(run.task(SampleRun.A), "q-" + run.id());

    rows.record(slice, List.of(asks), List.of(told()));
    rows.record(slice, List.of(asks), List.of(told()));

    assertThat(backend.interruptStatus(run.id(), "q-" + run.id())).isEqualTo("open");
    assertThat(backend.events(run.id())).hasSize(1);
    assertThat(new InvariantQueries(backend.jdbc()).violations(List.of(run.id()), Duration.ZERO))
        .noneMatch(it -> it.startsWith("I5"));
  }

  /// Rule 10: whatever a slice does to its executors, it does not do it for ever.
  @Test
  void leavesToTheDriverWhatWasTakenTooOften() {
    for (int claim = 1; claim <= OFTEN; claim++) {
      rows.giveBack(take());
    }

    assertThat(rows.take(wide, one, OFTEN).orElseThrow().number()).isEqualTo(1);
    supersteps.giveUp(wide, OFTEN);
    assertThat(standing().open()).isEqualTo(1);
    assertThat(standing().closed()).containsExactly(0);
    assertThat(recorded()).isEmpty();
  }

  /// A new cut replaces what an earlier driver has left.
  @Test
  void forgetsTheSlicesOfAnEarlierDriver() {
    take();
    var heir = new WideSuperstep(backend.claim(run.id(), run.graph).lease(), run.open());

    assertThat(supersteps.open(heir, cut(2))).isTrue();
    assertThat(supersteps.status(wide)).isEmpty();
    assertThat(supersteps.status(heir).orElseThrow().open()).isEqualTo(2);
  }

  /// What a driver that died has left goes, what is in use stays.
  @Test
  void sweepsUpWhatNobodyLooksAt() {
    supersteps.sweep();
    assertThat(supersteps.status(wide)).isPresent();

    backend.claim(run.id(), run.graph);
    supersteps.sweep();

    assertThat(supersteps.status(wide)).isEmpty();
  }
}
