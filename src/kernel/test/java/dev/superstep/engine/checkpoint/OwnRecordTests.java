package dev.superstep.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/// E35, E41: records of a run, and of the run that it is a copy of.
class OwnRecordTests {
  private static final TaskKey TASK = new TaskKey(1, new NodeId("call"), null);
  private static final BirthId SOURCE = BirthId.of("source", UUID.randomUUID());
  private static final BirthId COPY = BirthId.of("copy", UUID.randomUUID());
  private static final ObjectValue PAID = ObjectValue.of("paid", Value.of(1L));

  private static TaskRecord record(TaskStatus status, ObjectValue parts) {
    return new TaskRecord(
        TASK,
        1,
        0,
        new TaskRecord.TaskQuestions(1, List.of(), Optional.empty()),
        status,
        Instant.EPOCH,
        Instant.EPOCH,
        new TaskRecord.Left(parts, Usage.NOTHING));
  }

  private static TaskRecord waiting(String child) {
    return record(
        new TaskStatus.Child(child, Optional.empty()),
        new ChildRef(child, 2, Usage.NOTHING).keptIn(PAID));
  }

  private static TaskRecord asking(String id) {
    return record(
        new TaskStatus.Interrupted(
            new TaskRecord.Interrupt(
                id,
                "input",
                Value.NULL,
                Optional.empty(),
                Instant.EPOCH,
                Optional.empty(),
                Optional.empty())),
        PAID);
  }

  @Test
  void leavesWhatIsTheRunsOwn() {
    var waits = waiting(SOURCE.child(TASK, 2));
    var asks = asking(SOURCE.interrupt(TASK, 0));
    var failed = record(new TaskStatus.Failed(TaskError.permanent("code", "text")), waits.parts());

    assertThat(waits.ownedBy(SOURCE)).isSameAs(waits);
    assertThat(asks.ownedBy(SOURCE)).isSameAs(asks);
    assertThat(failed.ownedBy(SOURCE)).isSameAs(failed);
  }

  /// A release that does not read birth ids has driven the run for a while.
  @Test
  void leavesWhatDerivesFromTheIdOfTheRun() {
    var before = BirthId.ofRun("source");
    var waits = waiting(before.child(TASK, 2));
    var asks = asking(before.interrupt(TASK, 0));

    assertThat(waits.ownedBy(SOURCE)).isSameAs(waits);
    assertThat(asks.ownedBy(SOURCE)).isSameAs(asks);
  }

  @Test
  void beginsAnotherChildThanThatOfItsSource() {
    var own = waiting(SOURCE.child(TASK, 2)).ownedBy(COPY);

    assertThat(own.status()).isEqualTo(new TaskStatus.Open());
    assertThat(own.parts()).isEqualTo(PAID);
    assertThat(ChildRef.numberIn(own.parts())).isZero();
  }

  @Test
  void keepsAFailureWithoutTheChildThatHasFailed() {
    var failure = new TaskStatus.Failed(TaskError.permanent("code", "text"));
    var own = record(failure, waiting(SOURCE.child(TASK, 2)).parts()).ownedBy(COPY);

    assertThat(own.status()).isEqualTo(failure);
    assertThat(own.parts()).isEqualTo(PAID);
  }

  @Test
  void asksTheSameUnderAnIdOfItsOwn() {
    var asks = asking(SOURCE.interrupt(TASK, 0));

    assertThat(asks.ownedBy(COPY)).isEqualTo(asking(COPY.interrupt(TASK, 0)));
    assertThat(COPY.interrupt(TASK, 0)).isNotEqualTo(SOURCE.interrupt(TASK, 0));
  }

  /// The row of a task is the source's; with a number of its own, the copy would never meet it.
  @Test
  void queuesAnotherTaskThanThatOfItsSource() {
    var queued =
        record(
            new TaskStatus.AtWorker(SOURCE.queued(TASK, 3), Optional.empty()),
            WorkerRef.keptIn(PAID, 3));
    var own = queued.ownedBy(COPY);

    assertThat(queued.ownedBy(SOURCE)).isSameAs(queued);
    assertThat(own.status()).isEqualTo(new TaskStatus.Open());
    assertThat(own.parts()).isEqualTo(PAID);
    assertThat(COPY.queued(TASK, 3)).isNotEqualTo(SOURCE.queued(TASK, 3));
  }

  @Test
  void isNotPrinted() {
    var random = UUID.randomUUID();

    assertThat(BirthId.of("run", random).toString()).doesNotContain(random.toString());
  }
}
