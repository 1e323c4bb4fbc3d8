package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.TaskRecord.Ending;
import dev.superstep.engine.TaskRecord.Why;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
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
class SlotTests {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final TaskError BROKEN = TaskError.permanent("broken", "it is broken");
  private static final Change ASKED = Change.update("said", Value.of("asked"));
  private static final SampleRun CHILD = SampleRun.of("child");
  private static final Optional<Value> NONE = Optional.empty();

  private static final TaskRecord.Interrupt QUESTION =
      new TaskRecord.Interrupt("i1", "review", Value.NULL, NONE, NOW, Optional.empty(), NONE);

  private final TestRuns runs = new TestRuns();
  private final Program program =
      new TestGraph().node("a", SlotTests::spend).edge("__start__", "a").program();
  private final RunImage image =
      runs.store.claim(runs.start(program, ObjectValue.empty()).header.id());
  private final Frame frame =
      new Frame(
          image.header(), program, image.checkpoint(), Limits.NONE, Frame.Outside.of(runs.clock));
  private final DriverContext driver =
      new DriverContext(
          new Ports(runs.store, new VirtualTaskPool(1), runs.clock, () -> 0.5, RunObserver.NONE),
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
    AWAITS_CHILD,
    ASKS,
    DONE,
    FAILED,
    AWAY
  }

  private Slot in(State state) {
    var slot = new Slot(0, task);
    switch (state) {
      case READY -> {}
      case AWAY -> slot.ship();
      case RUNNING, SLEEPS, AWAITS_CHILD, ASKS, DONE, FAILED -> {
        slot.start(frame, driver);
        end(slot, state);
      }
    }
    return slot;
  }

  private static void end(Slot slot, State state) {
    switch (state) {
      case SLEEPS -> slot.sleep(NOW.plusSeconds(60), Why.SLEEP, NOW);
      case AWAITS_CHILD -> slot.awaitChild(child(), NOW);
      case ASKS -> slot.ask(QUESTION, ASKED, NOW);
      case DONE -> slot.succeed(NodeResult.NOTHING, NOW);
      case FAILED -> slot.fail(BROKEN, NOW);
      case READY, RUNNING, AWAY -> {}
    }
  }

  private static ChildStart child() {
    return new ChildStart(CHILD.header, ObjectValue.empty(), Limits.NONE, CHILD.first(), 0);
  }

  private TaskRecord record(Ending ending) {
    return record(ending, ObjectValue.empty());
  }

  private TaskRecord record(Ending ending, ObjectValue parts) {
    return new TaskRecord(
        task.key(),
        2,
        0,
        TaskRecord.Asked.NOTHING,
        ending,
        NOW,
        NOW,
        new TaskRecord.Left(parts, Usage.NOTHING));
  }

  private Map<String, Consumer<Slot>> transitions() {
    var all = new LinkedHashMap<String, Consumer<Slot>>();
    all.put("start", it -> it.start(frame, driver));
    all.put("keepPart", it -> it.keepPart("p", Value.TRUE, NOW));
    all.put("succeed", it -> it.succeed(NodeResult.NOTHING, NOW));
    all.put("fail", it -> it.fail(BROKEN, NOW));
    all.put("ask", it -> it.ask(QUESTION, Change.NONE, NOW));
    all.put("sleep", it -> it.sleep(NOW, Why.RETRY, NOW));
    all.put("awaitChild", it -> it.awaitChild(child(), NOW));
    all.put("wake", Slot::wake);
    all.put("answer", it -> it.answer(QUESTION.id(), Value.TRUE));
    all.put("expire", it -> it.expire(BROKEN, NOW));
    all.put("childIs", it -> it.childIs(RunStatus.INTERRUPTED));
    all.put("takeOver", it -> it.takeOver(Usage.NOTHING));
    all.put("childEnded", it -> it.childEnded(new ChildEnd.Failed(BROKEN, Usage.NOTHING)));
    all.put("resolve", it -> it.resolve(NodeResult.NOTHING, NOW));
    all.put("reject", it -> it.reject(record(new Ending.Failed(BROKEN))));
    all.put("handle", it -> it.handle(record(new Ending.Handled(BROKEN, NodeResult.NOTHING))));
    all.put("ship", Slot::ship);
    all.put("recall", Slot::recall);
    all.put("arrive", it -> it.arrive(record(new Ending.Failed(BROKEN))));
    all.put("recordWritten", Slot::recordWritten);
    return all;
  }

  private static Map<State, Set<String>> legal() {
    var legal = new EnumMap<State, Set<String>>(State.class);
    legal.put(State.READY, Set.of("start", "ship"));
    legal.put(State.RUNNING, Set.of("keepPart", "succeed", "fail", "ask", "sleep", "awaitChild"));
    legal.put(State.SLEEPS, Set.of("wake", "recordWritten"));
    legal.put(State.AWAITS_CHILD, Set.of("childIs", "takeOver", "childEnded", "recordWritten"));
    legal.put(State.ASKS, Set.of("answer", "expire", "recordWritten"));
    legal.put(State.DONE, Set.of("reject", "handle", "recordWritten"));
    legal.put(State.FAILED, Set.of("resolve", "reject", "handle", "recordWritten"));
    legal.put(State.AWAY, Set.of("recall", "arrive"));
    return legal;
  }

  private record Looks(
      Slot.Phase phase, int token, int attempts, @Nullable TaskRecord record, boolean changed) {
    static Looks of(Slot slot) {
      return new Looks(
          slot.phase(), slot.token(), slot.attempts(), slot.record(), slot.isChanged());
    }
  }

  @ParameterizedTest
  @EnumSource
  void takesTheTransitionsOfItsStateAndNoOthers(State state) {
    var taken = new ArrayList<String>();
    transitions()
        .forEach((name, transition) -> {
          var slot = in(state);
          var before = Looks.of(slot);
          try {
            transition.accept(slot);
            taken.add(name);
          } catch (IllegalStateException e) {
            assertThat(Looks.of(slot)).as(name).isEqualTo(before);
            assertThat(e).hasMessageContaining("1:a").hasMessageContaining(slot.phase().name());
          }
        });

    assertThat(taken).containsExactlyInAnyOrderElementsOf(legal().get(state));
  }

  @Test
  void takesNoAnswerToAnotherQuestion() {
    var slot = in(State.ASKS);

    assertThatThrownBy(() -> slot.answer("i2", Value.TRUE))
        .isInstanceOf(IllegalStateException.class);
  }

  /// The settlement replaces a result by a failure, and nothing else.
  @Test
  void isRejectedAndHandledOnlyByRecordsThatSaySo() {
    var slot = in(State.DONE);
    var waiting = record(new Ending.Waiting(NOW, Why.RETRY));

    assertThatThrownBy(() -> slot.reject(waiting)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> slot.handle(waiting)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void goesOnlyAwayIfNothingIsKnownOfIt() {
    var slot = in(State.SLEEPS);
    slot.wake();

    assertThat(slot.phase()).isEqualTo(Slot.Phase.READY);
    assertThatThrownBy(slot::ship).isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"SLEEPS", "AWAITS_CHILD", "ASKS", "DONE", "FAILED"})
  void knowsALateOutcomeByItsToken(State state) {
    var slot = in(State.RUNNING);
    int token = slot.token();
    assertThat(slot.runs(token)).isTrue();

    end(slot, state);

    assertThat(slot.runs(token)).isFalse();
    assertThat(slot.token()).isGreaterThan(token);
    assertThat(slot.running()).isEmpty();
  }

  @Test
  void countsAttemptsThatAreRetriedAndStartsAnewBehindASleep() {
    var slot = in(State.RUNNING);
    slot.sleep(NOW, Why.RETRY, NOW);
    slot.wake();
    slot.start(frame, driver);
    assertThat(slot.attempts()).isEqualTo(2);

    slot.sleep(NOW, Why.SLEEP, NOW);
    slot.wake();
    slot.start(frame, driver);
    assertThat(slot.attempts()).isEqualTo(1);
  }

  /// E34, E36, E40
  @Test
  void carriesAnswerAndHeldChangeIntoItsRecord() {
    var slot = in(State.ASKS);
    assertThat(slot.openInterrupt()).contains(QUESTION);
    assertThat(slot.rests()).isTrue();

    slot.answer(QUESTION.id(), Value.TRUE);
    slot.start(frame, driver);
    slot.fail(BROKEN, NOW);

    var record = known(slot);
    assertThat(record.attempts()).isEqualTo(1);
    assertThat(record.generation()).isEqualTo(1);
    assertThat(record.interrupts()).isEqualTo(1);
    assertThat(record.heldChanges()).containsExactly(ASKED);
    assertThat(record.asked().answer()).contains(new Resume(QUESTION.id(), Value.TRUE));
    assertThat(slot.failed()).isTrue();
  }

  /// E34: a result that a person gives replaces what the task asked for.
  @Test
  void dropsHeldChangesWhenItIsResolved() {
    var slot = in(State.ASKS);
    slot.expire(BROKEN, NOW);
    slot.resolve(NodeResult.of(Change.update("said", Value.of("done"))), NOW);

    assertThat(known(slot).changes()).containsExactly(Change.update("said", Value.of("done")));
  }

  /// E41
  @Test
  void hearsTheEndOfItsChildAsPartOfTheSameAttempt() {
    var slot = in(State.AWAITS_CHILD);
    assertThat(slot.child().map(Ending.Child::run)).contains("child");
    slot.childIs(RunStatus.INTERRUPTED);
    assertThat(slot.waitsForPeople()).isTrue();
    slot.childIs(RunStatus.RUNNING);
    assertThat(slot.waitsForPeople()).isFalse();

    assertThat(slot.takeOver(new Usage(2, 30, 4))).isEqualTo(new Usage(2, 30, 4));
    assertThat(slot.takeOver(new Usage(3, 30, 4))).isEqualTo(new Usage(1, 0, 0));
    slot.childEnded(new ChildEnd.Failed(BROKEN, new Usage(3, 30, 4)));
    slot.start(frame, driver);
    slot.succeed(NodeResult.NOTHING, NOW);

    assertThat(known(slot).attempts()).isEqualTo(1);
    assertThat(known(slot).spent()).isEqualTo(new Usage(3, 30, 4));
    assertThat(known(slot).parts()).isEqualTo(ObjectValue.empty());
  }

  /// E10.3
  @Test
  void isUnrecordedUntilItsRecordIsWritten() {
    var slot = in(State.RUNNING);
    assertThat(slot.isUnrecorded()).isFalse();
    slot.keepPart("p", Value.TRUE, NOW);
    assertThat(slot.isUnrecorded()).isTrue();
    slot.recordWritten();
    assertThat(slot.isUnrecorded()).isFalse();
    slot.announce();

    slot.fail(BROKEN, NOW);

    assertThat(slot.isUnrecorded()).isTrue();
    assertThat(slot.isAnnounced()).isFalse();
    assertThat(known(slot).parts()).isEqualTo(ObjectValue.of("p", Value.TRUE));
  }

  @Test
  void notesWhatAnAttemptHasSpentThatIsCutOff() {
    var slot = in(State.READY);
    var live = slot.start(frame, driver);
    assertThat(slot.cutOff(NOW)).as("nothing is spent").isFalse();
    assertThat(slot.record()).isNull();

    live.run();
    assertThat(slot.cutOff(NOW)).isTrue();

    assertThat(slot.phase()).isEqualTo(Slot.Phase.RUNNING);
    assertThat(known(slot).ending()).isEqualTo(new Ending.Open());
    assertThat(known(slot).spent()).isEqualTo(new Usage(1, 0, 0));
    assertThat(in(State.DONE).cutOff(NOW)).isFalse();
  }

  @Test
  void comesBackAsItsRecordSays() {
    assertThat(restored(new Ending.Done(NodeResult.NOTHING)).phase()).isEqualTo(Slot.Phase.SETTLED);
    assertThat(restored(new Ending.Interrupted(QUESTION)).openInterrupt()).contains(QUESTION);
    assertThat(restored(new Ending.Waiting(NOW, Why.SLEEP)).waiting()).isPresent();
    assertThat(restored(new Ending.Child("child", Optional.empty())).child()).isPresent();
    assertThat(restored(new Ending.Failed(BROKEN)).failed()).isTrue();
    assertThat(restored(new Ending.Rejected(NodeResult.NOTHING, BROKEN)).failed()).isTrue();
    assertThat(restored(new Ending.Handled(BROKEN, NodeResult.NOTHING)).failed())
        .as("is settled once more")
        .isTrue();
    var open = restored(new Ending.Open());
    assertThat(open.phase()).isEqualTo(Slot.Phase.READY);
    assertThat(open.attempts()).as("the attempt is lost").isEqualTo(1);
  }

  private Slot restored(Ending ending) {
    var slot = Slot.of(0, task, record(ending), Release.NONE);
    assertThat(slot.isChanged()).isFalse();
    assertThat(slot.isAnnounced()).isTrue();
    var arrived = in(State.AWAY);
    arrived.arrive(record(ending));
    assertThat(arrived.phase()).isEqualTo(slot.phase());
    assertThat(arrived.isChanged()).isTrue();
    return slot;
  }

  /// E20, E34, E41
  @Test
  void goesOnAsAResumeCallSays() {
    var failed = new Ending.Failed(BROKEN);
    var again = Slot.of(0, task, record(failed), Release.FAILED);
    assertThat(again.phase()).isEqualTo(Slot.Phase.READY);
    assertThat(again.attempts()).isZero();

    var rejected = record(new Ending.Rejected(NodeResult.NOTHING, BROKEN));
    assertThat(known(Slot.of(0, task, rejected, Release.FAILED)).ending())
        .isEqualTo(new Ending.Done(NodeResult.NOTHING));

    var parts = new ChildRef("child", 1, Usage.NOTHING).keptIn(ObjectValue.empty());
    var waits = Slot.of(0, task, record(failed, parts), Release.CHILD);
    assertThat(waits.child().map(Ending.Child::run)).contains("child");
    assertThat(waits.attempts()).isEqualTo(1);
    assertThat(waits.isChanged()).isTrue();
  }

  private static TaskRecord known(Slot slot) {
    var record = slot.record();
    if (record == null) {
      throw new AssertionError("nothing is known of " + slot.task().key());
    }
    return record;
  }
}
