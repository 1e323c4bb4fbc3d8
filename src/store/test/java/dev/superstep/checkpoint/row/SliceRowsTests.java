package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.InvariantQueries;
import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.checkpoint.work.SliceQueue;
import dev.superstep.checkpoint.work.TakenSlice;
import dev.superstep.checkpoint.work.TakenSlice.SliceWork;
import dev.superstep.checkpoint.work.WideSuperstep;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// The fence of slices, and their leases: durability.md *The fence*.
@StoreTest
class SliceRowsTests {
  private static final int SLICES = 2;
  private static final int LOST_MAX = 4;
  private static final int OFTEN = 6;

  @Autowired private PostgresBackend backend;
  @Autowired private SliceRows rows;
  @Autowired private SliceReader reader;
  @Autowired private SliceQueue queue;
  @Autowired private WorkerTasks tasks;
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
    assertThat(supersteps.open(wide, cut())).isTrue();
  }

  @AfterEach
  void leavesNoSlice() {
    backend.jdbc().sql("delete from task where run = ?").param(run.id()).update();
  }

  /// Two slices of one task each.
  private static List<SliceWork> cut() {
    return cut(Optional.empty());
  }

  private static List<SliceWork> cut(Optional<Integer> lanes) {
    return List.of(new SliceWork(0, lanes, 8, List.of(0)), new SliceWork(0, lanes, 8, List.of(1)));
  }

  private TakenSlice take() {
    return queue.claim(one, Set.of()).orElseThrow();
  }

  private boolean keeps(TakenSlice slice) {
    return queue.keep(List.of(slice)).contains(slice.token());
  }

  private TaskRecord done(String item) {
    return run.done(run.task(SampleRun.A), item);
  }

  private List<Integer> closed() {
    return supersteps.closed(wide, SLICES).orElseThrow();
  }

  private List<TaskRecord> recorded() {
    return reader.recorded(wide, List.of(run.task(SampleRun.A), run.task(SampleRun.B)));
  }

  @Test
  void handsEachSliceToOneReplica() {
    var first = take();
    var second = queue.claim(two, Set.of()).orElseThrow();

    assertThat(List.of(first.work(), second.work())).isEqualTo(cut());
    assertThat(List.of(first.of(), second.of())).containsOnly(wide);
    assertThat(queue.claim("three", Set.of())).isEmpty();
    assertThat(closed()).isEmpty();
  }

  /// E12: what is behind its bound does not keep others waiting.
  @Test
  void keepsToItsLanes() {
    supersteps.withdraw(wide, SLICES);
    supersteps.open(wide, cut(Optional.of(1)));
    var first = take();
    assertThat(queue.claim(two, Set.of())).isEmpty();
    var other = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(other.header, other.first());
    var behind = new WideSuperstep(backend.claim(other.id(), other.graph).lease(), other.open());
    assertThat(supersteps.open(behind, cut())).isTrue();

    var others = List.of(queue.claim(two, Set.of()), queue.claim(two, Set.of()));
    assertThat(others).allMatch(it -> it.orElseThrow().of().equals(behind));
    assertThat(queue.claim(two, Set.of())).isEmpty();
    rows.close(first, List.of(), List.of());
    var next = queue.claim(two, Set.of()).orElseThrow();
    assertThat(next.of()).isEqualTo(wide);
    assertThat(next.repeated()).isFalse();
    supersteps.withdraw(behind, SLICES);
  }

  /// What is at its bound is not touched: each claim would write the same row.
  @Test
  void leavesWhatIsAtItsBoundAsItIs() {
    supersteps.withdraw(wide, SLICES);
    supersteps.open(wide, cut(Optional.of(1)));
    take();
    var rows = "select xmin || ' ' || id from task where run = ? order by id";
    var before = backend.jdbc().sql(rows).param(run.id()).query().singleColumn();

    assertThat(queue.claim(two, Set.of())).isEmpty();
    assertThat(queue.claimNext(two, wide)).isEmpty();

    assertThat(backend.jdbc().sql(rows).param(run.id()).query().singleColumn()).isEqualTo(before);
  }

  /// A lane that has loaded the run stays with it.
  @Test
  void handsOutTheNextSliceOfASuperstep() {
    var first = take();

    var next = queue.claimNext(two, wide).orElseThrow();

    assertThat(List.of(first.id(), next.id())).containsExactly(wide.slice(0), wide.slice(1));
    assertThat(queue.claimNext(two, wide)).isEmpty();
    rows.close(next, List.of(done("next")), List.of());
    backend.claim(run.id(), run.graph);
    queue.giveBack(first);
    assertThat(queue.claimNext(one, wide)).as("of an earlier driver").isEmpty();
  }

  /// A replica has its lanes of a superstep, and takes slices of others.
  @Test
  void leavesOutRunsThatAreNotWanted() {
    assertThat(queue.claim(one, Set.of(run.id()))).isEmpty();
    assertThat(queue.claim(one, Set.of("another"))).isPresent();
  }

  /// E10.3: each slice is closed once, and outcomes are there by then.
  @Test
  void closesEachSliceOnce() {
    var slice = take();
    rows.record(slice, List.of(done("early")), List.of());
    rows.close(slice, List.of(), List.of());

    assertThatThrownBy(() -> rows.close(slice, List.of(), List.of()))
        .isInstanceOf(SliceLostException.class);
    assertThat(closed()).containsExactly(0);
    assertThat(keeps(slice)).isFalse();
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
    assertThat(queue.lose(one)).isEqualTo(1);

    var heir = take();
    assertThat(heir.id()).isEqualTo(zombie.id());
    assertThat(List.of(zombie.repeated(), heir.repeated())).containsExactly(false, true);
    assertThat(keeps(zombie)).isFalse();
    queue.giveBack(zombie);
    assertRefused(zombie);
    rows.close(heir, List.of(done("heir")), List.of());
    assertThat(recorded()).containsExactly(done("heir"));
  }

  private void requeue() {
    tasks.requeueLost(LOST_MAX, 100);
  }

  private void endLease(TakenSlice slice) {
    backend
        .jdbc()
        .sql("update task set lease_until = clock_timestamp() where id = ?")
        .param(slice.id())
        .update();
  }

  /// After an outage everybody is late: what nobody else has been given goes on.
  @Test
  void keepsWhatNobodyElseHas() {
    var slice = take();
    endLease(slice);

    assertThat(keeps(slice)).isTrue();
    requeue();

    rows.close(slice, List.of(done("late")), List.of());
    assertThat(recorded()).containsExactly(done("late"));
  }

  /// A cut whose acknowledgement was lost is repeated, when slices of it are claimed already.
  @Test
  void leavesClaimsAloneIfTheCutIsRepeated() {
    var slice = take();

    assertThat(supersteps.open(wide, cut())).isTrue();

    rows.close(slice, List.of(done("once")), List.of());
    assertThat(closed()).containsExactly(0);
  }

  /// What is given back may be recorded in part.
  @Test
  void saysOfWhatWasGivenBackThatItMayBeRepeated() {
    var first = take();
    queue.giveBack(first);

    var again = take();

    assertThat(again.id()).isEqualTo(first.id());
    assertThat(again.repeated()).isTrue();
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
    assertThat(keeps(zombie)).isFalse();
    assertThat(queue.claim(two, Set.of())).isEmpty();
    assertThat(supersteps.open(wide, cut())).isFalse();
  }

  /// Every write behind a cancel is refused.
  @Test
  void refusesACancelledRun() {
    var late = take();
    backend.cancel(run.id());

    assertRefused(late);
    assertThat(queue.claim(one, Set.of())).isEmpty();
    assertThat(keeps(late)).isFalse();
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
  void leavesToTheDriverWhatWasClaimedTooOften() {
    for (int claim = 1; claim <= OFTEN; claim++) {
      var slice = take();
      assertThat(slice.id()).isEqualTo(wide.slice(0));
      if (claim % 2 == 0) {
        queue.giveBack(slice);
      } else {
        queue.lose(one);
      }
    }

    assertThat(take().id()).isEqualTo(wide.slice(1));
    assertThat(closed()).containsExactly(0);
    assertThat(recorded()).isEmpty();
  }

  /// Likewise if nobody knows of the death of its replicas, whatever workers are allowed.
  @Test
  void leavesToTheDriverWhatWasLostTooOften() {
    for (int claim = 1; claim <= OFTEN; claim++) {
      assertThat(closed()).isEmpty();
      endLease(take());
      requeue();
    }

    assertThat(closed()).containsExactly(0);
    assertThat(tasks.overdue(1, 1000)).noneMatch(it -> it.id().equals(wide.slice(0)));
  }

  /// Whoever has the run next may cut nothing.
  @Test
  void withdrawsTheSlicesOfAnEarlierDriver() {
    backend.claim(run.id(), run.graph);

    assertThat(queue.claim(one, Set.of())).isEmpty();

    assertThat(states()).containsOnly("withdrawn");
  }

  /// The driver, which may not have heard of it yet, would make their calls once more.
  @Test
  void closesNoSliceOfARunThatIsToBeCancelled() {
    backend.cancel(run.id());

    assertThat(queue.claim(one, Set.of())).isEmpty();

    assertThat(states()).containsOnly("withdrawn");
    assertThat(closed()).isEmpty();
  }

  private List<String> states() {
    return backend
        .jdbc()
        .sql("select state from task where run = ?")
        .param(run.id())
        .query((row, _) -> row.getString("state"))
        .list();
  }

  /// A new cut replaces what an earlier driver has left.
  @Test
  void forgetsTheSlicesOfAnEarlierDriver() {
    take();
    var heir = new WideSuperstep(backend.claim(run.id(), run.graph).lease(), run.open());

    assertThat(supersteps.open(heir, cut())).isTrue();
    assertThat(supersteps.closed(wide, SLICES)).isEmpty();
    assertThat(supersteps.closed(heir, SLICES)).hasValue(List.of());
  }

  /// Whoever has one hears of it, and what is not claimed is gone.
  @Test
  void withdrawsAllThatAreOut() {
    var slice = take();

    supersteps.withdraw(wide, SLICES);

    assertThat(keeps(slice)).isFalse();
    assertRefused(slice);
    assertThat(queue.claim(one, Set.of())).isEmpty();
  }
}
