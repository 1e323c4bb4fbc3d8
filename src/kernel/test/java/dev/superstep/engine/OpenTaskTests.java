package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.ChildStart;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.TaskRecord.Why;
import dev.superstep.engine.checkpoint.WorkerStart;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.Release;
import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.Resume;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.Usage;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.engine.run.WorkerTask;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The state machine of a task: which transitions there are, and that there are no others.
class OpenTaskTests {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final TaskError BROKEN = TaskError.permanent("broken", "it is broken");
  private static final Change ASKED = Change.update("said", Value.of("asked"));
  private static final SampleRun CHILD = SampleRun.of("child");
  private static final Optional<Value> NONE = Optional.empty();

  private static final TaskRecord.Interrupt QUESTION =
      new TaskRecord.Interrupt("i1", "review", Value.NULL, NONE, NOW, Optional.empty(), NONE);

  private final TestRuns runs = new TestRuns();
  private final Program program =
      new TestGraph().node("a", OpenTaskTests::spend).edge("__start__", "a").program();
  private final LoadedRun image =
      runs.store.claim(runs.start(program, ObjectValue.empty()).header.id());
  private final SuperstepContext superstepContext =
      new SuperstepContext(
          image.header(),
          program,
          image.checkpoint(),
          Limits.NONE,
          SuperstepContext.Environment.of(runs.clock));
  private final DriverContext driver =
      new DriverContext(
          TestPorts.of(runs.store, TestPorts.pool(1), runs.clock).ports(),
          EngineLimits.DEFAULT,
          new LocalInbox(runs.clock),
          image,
          Limits.NONE);
  private final Task task =
      new Planner(program.graph()).plan(image.checkpoint().pending().activations(), 1).getFirst();

  private static Outcome spend(NodeCall call) {
    call.meter().begin();
    return TestNodes.done();
  }

  /// Where a task can stand.
  enum State {
    READY,
    RUNNING,
    SLEEPS,
    PARKED,
    AWAITS_CHILD,
    AWAITS_WORKER,
    ASKS,
    DONE,
    FAILED,
    AWAY
  }

  private OpenTask in(State state) {
    var openTask = new OpenTask(0, task);
    switch (state) {
      case READY -> {}
      case AWAY -> openTask.ship();
      case RUNNING, SLEEPS, PARKED, AWAITS_CHILD, AWAITS_WORKER, ASKS, DONE, FAILED -> {
        openTask.start(superstepContext, driver);
        end(openTask, state);
      }
    }
    return openTask;
  }

  private static void end(OpenTask openTask, State state) {
    switch (state) {
      case SLEEPS -> openTask.sleep(NOW.plusSeconds(60), Why.SLEEP, NOW);
      case PARKED -> openTask.park(NOW.plusSeconds(60), ObjectValue.of("k", 1), NOW);
      case AWAITS_CHILD -> openTask.awaitChild(child(), NOW);
      case AWAITS_WORKER -> openTask.awaitWorker("w", worker(), NOW);
      case ASKS -> openTask.ask(QUESTION, ASKED, NOW);
      case DONE -> openTask.succeed(NodeResult.NOTHING, NOW);
      case FAILED -> openTask.fail(BROKEN, NOW);
      case READY, RUNNING, AWAY -> {}
    }
  }

  private static WorkerStart worker() {
    var timeouts =
        new WorkerTask.Timeouts(Optional.empty(), Optional.empty(), Duration.ofSeconds(30));
    return new WorkerStart(new WorkerTask("t", ObjectValue.empty(), "k", 1, timeouts), 1, 0);
  }

  private static ChildStart child() {
    return new ChildStart(CHILD.header, ObjectValue.empty(), Limits.NONE, CHILD.first(), 0);
  }

  private TaskRecord record(TaskStatus taskStatus) {
    return record(taskStatus, ObjectValue.empty());
  }

  private TaskRecord record(TaskStatus taskStatus, ObjectValue parts) {
    return new TaskRecord(
        task.key(),
        2,
        0,
        TaskRecord.TaskQuestions.NOTHING,
        taskStatus,
        NOW,
        NOW,
        new TaskRecord.Left(parts, Usage.NOTHING));
  }

  private Map<String, Consumer<OpenTask>> transitions() {
    var all = new LinkedHashMap<String, Consumer<OpenTask>>();
    all.put("start", it -> it.start(superstepContext, driver));
    all.put("keepPart", it -> it.keepPart("p", Value.TRUE, NOW));
    all.put("succeed", it -> it.succeed(NodeResult.NOTHING, NOW));
    all.put("fail", it -> it.fail(BROKEN, NOW));
    all.put("ask", it -> it.ask(QUESTION, Change.NONE, NOW));
    all.put("sleep", it -> it.sleep(NOW, Why.RETRY, NOW));
    all.put("park", it -> it.park(NOW, ObjectValue.empty(), NOW));
    all.put("awaitChild", it -> it.awaitChild(child(), NOW));
    all.put("awaitWorker", it -> it.awaitWorker("w", worker(), NOW));
    all.put("wake", OpenTask::wake);
    all.put("answer", it -> it.answer(QUESTION.id(), Value.TRUE));
    all.put("expire", it -> it.expire(BROKEN, NOW));
    all.put("childIs", it -> it.childIs(RunStatus.INTERRUPTED));
    all.put("takeOver", it -> it.takeOver(Usage.NOTHING));
    all.put("childEnded", it -> it.childEnded(new ChildEnd.Failed(BROKEN, Usage.NOTHING)));
    all.put("workerEnded", it -> it.workerEnded(new WorkerEnd.Returned(Value.TRUE)));
    all.put("resolve", it -> it.resolve(NodeResult.NOTHING, NOW));
    all.put("reject", it -> it.reject(record(new TaskStatus.Failed(BROKEN))));
    all.put("handle", it -> it.handle(record(new TaskStatus.Handled(BROKEN, NodeResult.NOTHING))));
    all.put("ship", OpenTask::ship);
    all.put("recall", OpenTask::recall);
    all.put("arrive", it -> it.arrive(record(new TaskStatus.Failed(BROKEN))));
    all.put("recordWritten", OpenTask::recordWritten);
    return all;
  }

  private static Map<State, Set<String>> legal() {
    var legal = new EnumMap<State, Set<String>>(State.class);
    legal.put(State.READY, Set.of("start", "ship"));
    legal.put(
        State.RUNNING,
        Set.of("keepPart", "succeed", "fail", "ask", "sleep", "park", "awaitChild", "awaitWorker"));
    legal.put(State.SLEEPS, Set.of("wake", "recordWritten"));
    legal.put(State.PARKED, Set.of("wake", "recordWritten"));
    legal.put(State.AWAITS_CHILD, Set.of("childIs", "takeOver", "childEnded", "recordWritten"));
    legal.put(State.AWAITS_WORKER, Set.of("workerEnded", "recordWritten"));
    legal.put(State.ASKS, Set.of("answer", "expire", "recordWritten"));
    legal.put(State.DONE, Set.of("reject", "handle", "recordWritten"));
    legal.put(State.FAILED, Set.of("resolve", "reject", "handle", "recordWritten"));
    legal.put(State.AWAY, Set.of("recall", "arrive"));
    return legal;
  }

  private record Looks(
      OpenTask.Phase phase, int token, int attempts, @Nullable TaskRecord record, boolean changed) {
    static Looks of(OpenTask openTask) {
      return new Looks(
          openTask.phase(),
          openTask.token(),
          openTask.attempts(),
          openTask.record(),
          openTask.isChanged());
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesTheTransitionsOfItsStateAndNoOthers(State state) {
    var taken = new ArrayList<String>();
    transitions()
        .forEach((name, transition) -> {
          var openTask = in(state);
          var before = Looks.of(openTask);
          try {
            transition.accept(openTask);
            taken.add(name);
          } catch (IllegalStateException e) {
            assertThat(Looks.of(openTask)).as(name).isEqualTo(before);
            assertThat(e).hasMessageContaining("1:a").hasMessageContaining(openTask.phase().name());
          }
        });

    assertThat(taken).containsExactlyInAnyOrderElementsOf(legal().get(state));
  }

  @Test
  void takesNoAnswerToAnotherQuestion() {
    var openTask = in(State.ASKS);

    assertThatThrownBy(() -> openTask.answer("i2", Value.TRUE))
        .isInstanceOf(IllegalStateException.class);
  }

  /// The settlement replaces a result by a failure, and nothing else.
  @Test
  void isRejectedAndHandledOnlyByRecordsThatSaySo() {
    var openTask = in(State.DONE);
    var waiting = record(new TaskStatus.Waiting(NOW, Why.RETRY));

    assertThatThrownBy(() -> openTask.reject(waiting)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> openTask.handle(waiting)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void goesOnlyAwayIfNothingIsKnownOfIt() {
    var openTask = in(State.SLEEPS);
    openTask.wake();

    assertThat(openTask.phase()).isEqualTo(OpenTask.Phase.READY);
    assertThatThrownBy(openTask::ship).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"SLEEPS", "PARKED", "AWAITS_CHILD", "ASKS", "DONE", "FAILED"})
  void knowsALateOutcomeByItsToken(State state) {
    var openTask = in(State.RUNNING);
    int token = openTask.token();
    assertThat(openTask.runs(token)).isTrue();

    end(openTask, state);

    assertThat(openTask.runs(token)).isFalse();
    assertThat(openTask.token()).isGreaterThan(token);
    assertThat(openTask.running()).isEmpty();
  }

  @Test
  void countsAttemptsThatAreRetriedAndStartsAnewBehindASleep() {
    var openTask = in(State.RUNNING);
    openTask.sleep(NOW, Why.RETRY, NOW);
    openTask.wake();
    openTask.start(superstepContext, driver);
    assertThat(openTask.attempts()).isEqualTo(2);

    openTask.sleep(NOW, Why.SLEEP, NOW);
    openTask.wake();
    openTask.start(superstepContext, driver);
    assertThat(openTask.attempts()).isEqualTo(1);
  }

  /// However often it waits for its turn, the attempt that gets it is the one that began.
  @Test
  void countsNoAttemptThatIsParked() {
    var openTask = in(State.RUNNING);
    openTask.sleep(NOW, Why.RETRY, NOW);
    openTask.wake();
    for (int i = 0; i < 3; i++) {
      openTask.start(superstepContext, driver);
      openTask.park(NOW, ObjectValue.empty(), NOW);
      assertThat(openTask.isParked()).isTrue();
      openTask.wake();
    }
    openTask.start(superstepContext, driver);

    assertThat(openTask.attempts()).isEqualTo(2);
  }

  /// E34, E36, E40
  @Test
  void carriesAnswerAndHeldChangeIntoItsRecord() {
    var openTask = in(State.ASKS);
    assertThat(openTask.openInterrupt()).contains(QUESTION);
    assertThat(openTask.rests()).isTrue();

    openTask.answer(QUESTION.id(), Value.TRUE);
    openTask.start(superstepContext, driver);
    openTask.fail(BROKEN, NOW);

    var record = known(openTask);
    assertThat(record.attempts()).isEqualTo(1);
    assertThat(record.generation()).isEqualTo(1);
    assertThat(record.interrupts()).isEqualTo(1);
    assertThat(record.heldChanges()).containsExactly(ASKED);
    assertThat(record.questions().answer()).contains(new Resume(QUESTION.id(), Value.TRUE));
    assertThat(openTask.failed()).isTrue();
  }

  /// E34: a result that a person gives replaces what the task asked for.
  @Test
  void dropsHeldChangesWhenItIsResolved() {
    var openTask = in(State.ASKS);
    openTask.expire(BROKEN, NOW);
    openTask.resolve(NodeResult.of(Change.update("said", Value.of("done"))), NOW);

    assertThat(known(openTask).changes()).containsExactly(Change.update("said", Value.of("done")));
  }

  /// E41
  @Test
  void hearsTheEndOfItsChildAsPartOfTheSameAttempt() {
    var openTask = in(State.AWAITS_CHILD);
    assertThat(openTask.child().map(TaskStatus.Child::run)).contains("child");
    openTask.childIs(RunStatus.INTERRUPTED);
    assertThat(openTask.waitsForPeople()).isTrue();
    openTask.childIs(RunStatus.RUNNING);
    assertThat(openTask.waitsForPeople()).isFalse();

    assertThat(openTask.takeOver(new Usage(2, 30, 4))).isEqualTo(new Usage(2, 30, 4));
    assertThat(openTask.takeOver(new Usage(3, 30, 4))).isEqualTo(new Usage(1, 0, 0));
    openTask.childEnded(new ChildEnd.Failed(BROKEN, new Usage(3, 30, 4)));
    openTask.start(superstepContext, driver);
    openTask.succeed(NodeResult.NOTHING, NOW);

    assertThat(known(openTask).attempts()).isEqualTo(1);
    assertThat(known(openTask).spent()).isEqualTo(new Usage(3, 30, 4));
    assertThat(known(openTask).parts()).isEqualTo(ObjectValue.empty());
  }

  /// E10.3
  @Test
  void isUnrecordedUntilItsRecordIsWritten() {
    var openTask = in(State.RUNNING);
    assertThat(openTask.isUnrecorded()).isFalse();
    openTask.keepPart("p", Value.TRUE, NOW);
    assertThat(openTask.isUnrecorded()).isTrue();
    openTask.recordWritten();
    assertThat(openTask.isUnrecorded()).isFalse();
    assertThat(openTask.isAnnounced()).isTrue();

    openTask.fail(BROKEN, NOW);

    assertThat(openTask.isUnrecorded()).isTrue();
    assertThat(openTask.isAnnounced()).isFalse();
    assertThat(known(openTask).parts()).isEqualTo(ObjectValue.of("p", Value.TRUE));
  }

  @Test
  void notesWhatAnAttemptHasSpentThatIsCutOff() {
    var openTask = in(State.READY);
    var live = openTask.start(superstepContext, driver);
    assertThat(openTask.abort(NOW)).as("nothing is spent").isFalse();
    assertThat(openTask.record()).isNull();

    live.run();
    assertThat(openTask.abort(NOW)).isTrue();

    assertThat(openTask.phase()).isEqualTo(OpenTask.Phase.RUNNING);
    assertThat(known(openTask).status()).isEqualTo(new TaskStatus.Open());
    assertThat(known(openTask).spent()).isEqualTo(new Usage(1, 0, 0));
    assertThat(in(State.DONE).abort(NOW)).isFalse();
  }

  @Test
  void comesBackAsItsRecordSays() {
    assertThat(restored(new TaskStatus.Done(NodeResult.NOTHING)).phase())
        .isEqualTo(OpenTask.Phase.SETTLED);
    assertThat(restored(new TaskStatus.Interrupted(QUESTION)).openInterrupt()).contains(QUESTION);
    assertThat(restored(new TaskStatus.Waiting(NOW, Why.SLEEP)).waiting()).isPresent();
    assertThat(restored(new TaskStatus.Child("child", Optional.empty())).child()).isPresent();
    assertThat(restored(new TaskStatus.Failed(BROKEN)).failed()).isTrue();
    assertThat(restored(new TaskStatus.Rejected(NodeResult.NOTHING, BROKEN)).failed()).isTrue();
    assertThat(restored(new TaskStatus.Handled(BROKEN, NodeResult.NOTHING)).failed())
        .as("is settled once more")
        .isTrue();
    var open = restored(new TaskStatus.Open());
    assertThat(open.phase()).isEqualTo(OpenTask.Phase.READY);
    assertThat(open.attempts()).as("the attempt is lost").isEqualTo(1);
  }

  private OpenTask restored(TaskStatus taskStatus) {
    var openTask = OpenTask.of(0, task, record(taskStatus), Release.NONE);
    assertThat(openTask.isChanged()).isFalse();
    assertThat(openTask.isAnnounced()).isTrue();
    var arrived = in(State.AWAY);
    arrived.arrive(record(taskStatus));
    assertThat(arrived.phase()).isEqualTo(openTask.phase());
    assertThat(arrived.isChanged()).isTrue();
    return openTask;
  }

  /// E20, E34, E41
  @Test
  void goesOnAsAResumeCallSays() {
    var failed = new TaskStatus.Failed(BROKEN);
    var again = OpenTask.of(0, task, record(failed), Release.FAILED);
    assertThat(again.phase()).isEqualTo(OpenTask.Phase.READY);
    assertThat(again.attempts()).isZero();

    var rejected = record(new TaskStatus.Rejected(NodeResult.NOTHING, BROKEN));
    assertThat(known(OpenTask.of(0, task, rejected, Release.FAILED)).status())
        .isEqualTo(new TaskStatus.Done(NodeResult.NOTHING));

    var parts = new ChildRef("child", 1, Usage.NOTHING).keptIn(ObjectValue.empty());
    var waits = OpenTask.of(0, task, record(failed, parts), Release.CHILD);
    assertThat(waits.child().map(TaskStatus.Child::run)).contains("child");
    assertThat(waits.attempts()).isEqualTo(1);
    assertThat(waits.isChanged()).isTrue();
  }

  private static TaskRecord known(OpenTask openTask) {
    var record = openTask.record();
    if (record == null) {
      throw new AssertionError("nothing is known of " + openTask.task().key());
    }
    return record;
  }
}
