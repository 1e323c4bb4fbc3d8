package dev.superstep.checkpoint.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.checkpoint.FaultyDataSource;
import dev.superstep.checkpoint.FaultyDataSource.Fault;
import dev.superstep.checkpoint.PostgresBackend;
import dev.superstep.checkpoint.StoreTest;
import dev.superstep.checkpoint.StoreUnavailableException;
import dev.superstep.engine.SampleRun;
import dev.superstep.engine.StoreBackend.Numbered;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.annotation.Autowired;

/// A connection that breaks around a write: it takes effect once, and the driver is told the truth.
@StoreTest
class LostAcknowledgementTests {
  @Autowired private PostgresBackend backend;
  @Autowired private DataSource dataSource;
  private SampleRun run;
  private Lease lease;

  @BeforeEach
  void startARun() {
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = backend.claim(run.id(), run.graph).lease();
  }

  @AfterEach
  void repair() {
    faults().breakOnce(Fault.NONE);
    faults().down(false);
  }

  private FaultyDataSource faults() {
    return (FaultyDataSource) dataSource;
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE_STATEMENT", "AFTER_STATEMENT"})
  void commitsASuperstepOnce(Fault fault) {
    var commit = run.step("one");
    faults().breakOnce(fault);

    var result = backend.store().commit(lease, commit);

    var image = backend.claim(run.id(), run.graph);
    assertThat(result).isEqualTo(new CommitResult.Committed(image.checkpoint().stamp().at()));
    assertThat(image.checkpoint().number()).isEqualTo(1);
    assertThat(image.checkpoint().state().get("log")).isEqualTo(ListValue.texts("one"));
    assertEventsAreGapFree(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE_STATEMENT", "AFTER_STATEMENT"})
  void holdsASuperstepOnce(Fault fault) {
    holdsOnce(fault, run.hold(RunStatus.INTERRUPTED, 0, asks()));
  }

  /// Its wake-up is part of it.
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE_STATEMENT", "BEFORE_COMMIT", "AFTER_COMMIT"})
  void holdsASuperstepUntilATimeOnce(Fault fault) {
    var hold = run.hold(RunStatus.INTERRUPTED, 0, asks());
    var head = hold.head();
    var timed =
        new RunHead(
            head.status(),
            head.superstep(),
            head.error(),
            head.breakpoint(),
            Optional.of(SampleRun.THEN),
            head.passed(),
            head.elapsed());
    holdsOnce(fault, new Commit(hold.parent(), hold.checkpoint(), timed, hold.events(), 0));
  }

  private TaskRecord asks() {
    return run.asks(run.task(SampleRun.A), run.id());
  }

  private void holdsOnce(Fault fault, Commit commit) {
    faults().breakOnce(fault);

    var result = backend.store().commit(lease, commit);

    var image = backend.claim(run.id(), run.graph);
    assertThat(result).isEqualTo(new CommitResult.Committed(image.checkpoint().stamp().at()));
    assertThat(image.checkpoint().held()).hasSize(1);
    assertThat(backend.interruptStatus(run.id(), run.id())).isEqualTo("open");
    assertEventsAreGapFree(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE_STATEMENT", "BEFORE_COMMIT", "AFTER_COMMIT"})
  void writesTheHeadOnce(Fault fault) {
    var commit = run.onlyHead(run.head(RunStatus.INTERRUPTED), "run.interrupted");
    faults().breakOnce(fault);

    var result = backend.store().commit(lease, commit);

    assertThat(result).isInstanceOf(CommitResult.Committed.class);
    assertEventsAreGapFree(1);
  }

  /// E38: a driver that did not know that it has paused the run would go on with it.
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE_STATEMENT", "BEFORE_COMMIT", "AFTER_COMMIT"})
  void pausesOnce(Fault fault) {
    backend.pause(run.id(), 0);
    var head = run.head(RunStatus.INTERRUPTED);
    var pause = new RunHead.Breakpoint(RunHead.Breakpoint.PAUSE, List.of("a"));
    var paused =
        new RunHead(
            head.status(),
            head.superstep(),
            head.error(),
            Optional.of(pause),
            head.wakesAt(),
            head.passed(),
            head.elapsed());
    faults().breakOnce(fault);

    var result = backend.store().commit(lease, run.onlyHead(paused, "run.interrupted"));

    assertThat(result).isInstanceOf(CommitResult.Committed.class);
    assertThat(backend.claim(run.id(), run.graph).head().breakpoint()).contains(pause);
    assertEventsAreGapFree(1);
  }

  /// E10
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"BEFORE_STATEMENT", "BEFORE_COMMIT", "AFTER_COMMIT"})
  void recordsOutcomesOnce(Fault fault) {
    var done = run.done(run.task(SampleRun.A), "one");
    faults().breakOnce(fault);

    backend.store().record(lease, List.of(done), List.of(Event.of("custom", ObjectValue.empty())));

    assertThat(backend.claim(run.id(), run.graph).checkpoint().held()).containsValue(done);
    assertEventsAreGapFree(1);
  }

  /// A commit that landed counts, even if the run was taken over before its driver could ask. But
  /// that driver begins no further superstep.
  @Test
  void endsADriverWhoseCommitLandedBeforeATakeover() {
    var commit = run.step("one");
    backend.store().commit(lease, commit);
    backend.claim(run.id(), run.graph);

    assertThatThrownBy(() -> backend.store().commit(lease, commit))
        .isInstanceOf(LeaseLostException.class);

    assertThat(backend.claim(run.id(), run.graph).checkpoint().number()).isEqualTo(1);
    assertEventsAreGapFree(1);
  }

  @Test
  void findsTheCommitThatBroughtTheRunToRestBehindATakeover() {
    var commit = run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), run.id()));
    backend.store().commit(lease, commit);
    backend.claim(run.id(), run.graph);

    var again = backend.store().commit(lease, commit);

    assertThat(again).isInstanceOf(CommitResult.Committed.class);
    assertEventsAreGapFree(1);
  }

  @Test
  void takesNoOtherCommitForItsOwn() {
    var mine = run.step("one");
    var other = backend.claim(run.id(), run.graph).lease();
    backend.store().commit(other, SampleRun.of(run.id()).step("one"));

    assertThatThrownBy(() -> backend.store().commit(lease, mine))
        .isInstanceOf(LeaseLostException.class);
  }

  @Test
  void givesUpWhenTheDatabaseStaysAway() {
    var commit = run.step("one");
    faults().down(true);

    assertThatThrownBy(() -> backend.store().commit(lease, commit))
        .isInstanceOf(StoreUnavailableException.class);
    assertThatThrownBy(() -> backend.store().signals(lease))
        .isInstanceOf(StoreUnavailableException.class);
  }

  private void assertEventsAreGapFree(int count) {
    assertThat(backend.events(run.id()).stream().map(Numbered::seq))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, count).boxed().toList());
  }
}
