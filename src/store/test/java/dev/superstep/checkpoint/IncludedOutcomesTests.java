package dev.superstep.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.row.SliceRows;
import dev.superstep.checkpoint.row.WideSupersteps;
import dev.superstep.checkpoint.work.SliceQueue;
import dev.superstep.checkpoint.work.TakenSlice.SliceWork;
import dev.superstep.checkpoint.work.WideSuperstep;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// E10.3: a commit takes away the outcomes that it includes, whoever recorded them; the store knows
/// when there are none, and must not be wrong.
@StoreTest
class IncludedOutcomesTests {
  @Autowired private PostgresBackend backend;
  @Autowired private WideSupersteps supersteps;
  @Autowired private SliceRows slices;
  @Autowired private SliceQueue queue;
  private SampleRun run;
  private Lease lease;

  @BeforeEach
  void commitASuperstepThatLeavesNothing() {
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = backend.claim(run.id(), run.graph).lease();
    backend.store().commit(lease, run.step("first"));
  }

  private int recorded() {
    return backend
        .jdbc()
        .sql("select count(*) from recorded_task where run = ?")
        .param(run.id())
        .query(Integer.class)
        .single();
  }

  @Test
  void areThoseOfItsDriver() {
    var done = run.done(run.task(SampleRun.A), "second");
    backend.store().record(lease, List.of(done), List.of());
    assertThat(recorded()).isEqualTo(1);

    backend.store().commit(lease, run.step("second"));

    assertThat(recorded()).isZero();
  }

  /// The epoch may be the driver's although the history is another one.
  @Test
  void areOfTheSuperstepBehindTheLastCheckpoint() {
    var ahead = run.done(new TaskKey(run.open() + 1, SampleRun.A, null), "third");
    var event = Event.of("custom", ObjectValue.empty());

    assertThatThrownBy(() -> backend.store().record(lease, List.of(ahead), List.of()))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> backend.store().record(lease, List.of(ahead), List.of(event)))
        .isInstanceOf(LeaseLostException.class);

    assertThat(recorded()).isZero();
  }

  @Test
  void areThoseOfSlices() {
    var wide = new WideSuperstep(lease, run.open());
    assertThat(supersteps.open(wide, List.of(new SliceWork(1, Optional.empty(), 8, List.of(0)))))
        .isTrue();
    var slice = queue.claim("replica", Set.of()).orElseThrow();
    slices.record(slice, List.of(run.done(run.task(SampleRun.A), "second")), List.of());
    assertThat(recorded()).isEqualTo(1);

    backend.store().commit(lease, run.step("second"));

    assertThat(recorded()).isZero();
    supersteps.withdraw(wide, 1);
  }

  @Test
  void areThoseOfAnEarlierDriver() {
    backend.store().record(lease, List.of(run.done(run.task(SampleRun.A), "x")), List.of());

    var heir = backend.claim(run.id(), run.graph).lease();
    backend.store().commit(heir, run.step("second"));

    assertThat(recorded()).isZero();
  }
}
