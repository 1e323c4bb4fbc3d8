package dev.superstep.engine.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.SampleRun;
import dev.superstep.engine.StoreBackend;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.checkpoint.TaskRecord.Why;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.InboxMessage;
import dev.superstep.engine.run.InboxMessage.IfUntaken;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What every checkpoint store promises, whatever it keeps its rows in.
public abstract class CheckpointStoreContract extends PauseStoreContract {
  private StoreBackend backend;
  private CheckpointStore store;
  private SampleRun run;
  private Lease lease;

  @BeforeEach
  void startARun() {
    backend = backend();
    store = backend.store();
    run = SampleRun.of("run-" + UUID.randomUUID());
    backend.start(run.header, run.first());
    lease = claim().lease();
  }

  private LoadedRun claim() {
    return backend.claim(run.id(), run.graph);
  }

  private Checkpoint stored(int number) {
    return backend.checkpoint(run.header, number, run.graph);
  }

  /// E43, E44, E47
  @Test
  void givesTheNextOwnerWhatWasCommitted() {
    store.commit(lease, run.step("one"));
    store.commit(lease, run.step(SampleRun.fanOut(3), run.done(run.task(SampleRun.A), "two")));

    var image = claim();

    assertThat(image.lease().epoch()).isGreaterThan(lease.epoch());
    assertThat(image.checkpoint().number()).isEqualTo(2);
    assertThat(image.checkpoint().superstep()).isEqualTo(2);
    assertThat(image.checkpoint().state().get("log")).isEqualTo(ListValue.texts("one", "two"));
    assertThat(image.checkpoint().pending()).isEqualTo(SampleRun.fanOut(3));
    assertThat(image.head().status()).isEqualTo(RunStatus.RUNNING);
  }

  /// E43
  @Test
  void keepsEveryCheckpointAsItWas() {
    for (int i = 1; i <= 5; i++) {
      store.commit(lease, run.step("item " + i));
    }

    assertThat(stored(0).stamp().kind()).isEqualTo(CheckpointKind.INPUT);
    assertThat(stored(0).state().get("topic")).isEqualTo(Value.of("cats"));
    assertThat(stored(3).stamp().kind()).isEqualTo(CheckpointKind.STEP);
    assertThat(stored(3).state().get("log"))
        .isEqualTo(ListValue.texts("item 1", "item 2", "item 3"));
    assertThat(stored(5).superstep()).isEqualTo(5);
  }

  @Test
  void saysWhenItCommitted() {
    var result = store.commit(lease, run.step("one"));

    assertThat(result).isInstanceOf(CommitResult.Committed.class);
    assertThat(((CommitResult.Committed) result).at()).isEqualTo(stored(1).stamp().at());
    assertThat(stored(1).stamp().at()).isAfterOrEqualTo(stored(0).stamp().at());
  }

  /// I3, I5: commits from which the driver has gone on go to disk together, each with its number,
  /// its events and the time at which it did.
  @Test
  void writesCommitsBehindOneAnother() {
    var went = stored(0).stamp().at().plusMillis(1).truncatedTo(ChronoUnit.MICROS);
    var first = run.step("one").continuedAt(went);
    var second = run.step("two").continuedAt(went.plusMillis(1));
    var last = run.step("three");

    var result = store.commit(lease, List.of(first, second, last));

    assertThat(stored(1).stamp().at()).isEqualTo(went);
    assertThat(stored(2).stamp().at()).isEqualTo(went.plusMillis(1));
    assertThat(result).isEqualTo(new CommitResult.Committed(stored(3).stamp().at()));
    assertThat(stored(3).stamp().at()).isAfterOrEqualTo(went.plusMillis(1));
    assertThat(stored(2).state().get("log")).isEqualTo(ListValue.texts("one", "two"));
    assertThat(backend.events(run.id())).hasSize(eventsOf(first, second, last));
    var image = claim();
    assertThat(image.checkpoint().number()).isEqualTo(3);
    assertThat(image.checkpoint().state().get("log"))
        .isEqualTo(ListValue.texts("one", "two", "three"));
  }

  private static int eventsOf(Commit... commits) {
    return Stream.of(commits).mapToInt(it -> it.events().size()).sum();
  }

  @Test
  void writesAllCommitsBehindOneAnotherOrNone() {
    var commits = List.of(run.step("one").continuedAt(run.last().stamp().at()), run.step("two"));
    backend.cancel(run.id());

    assertThat(store.commit(lease, commits)).isInstanceOf(CommitResult.CancelRequested.class);
    assertThat(claim().checkpoint().number()).isZero();
    assertThatThrownBy(() -> store.commit(lease, commits)).isInstanceOf(LeaseLostException.class);
  }

  /// I6: a run that has come to its end has succeeded, whoever wants to cancel it.
  @Test
  void succeedsWithCommitsBehindOneAnother() {
    var step = run.step("one").continuedAt(run.last().stamp().at());
    var end = run.finish(run.done(run.task(SampleRun.A), "two"));
    backend.cancel(run.id());

    assertThat(store.commit(lease, List.of(step, end))).isInstanceOf(CommitResult.Committed.class);
    assertThat(claim().head().status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// Also behind a driver whose clock is ahead of the database's.
  @Test
  void givesNoCheckpointATimeBeforeTheLast() {
    var ahead = stored(0).stamp().at().plusSeconds(60).truncatedTo(ChronoUnit.MICROS);
    store.commit(lease, List.of(run.step("one").continuedAt(ahead)));
    run.passTo(ahead.plusMillis(1));

    store.commit(lease, run.step("two"));
    run.passTo(ahead.plusMillis(2));
    store.commit(
        lease, run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), interrupt(1))));

    assertThat(stored(2).stamp().at()).isAfterOrEqualTo(stored(1).stamp().at());
    assertThat(stored(3).stamp().at()).isAfterOrEqualTo(stored(2).stamp().at());
  }

  @Test
  void letsNoZombieWrite() {
    claim();

    assertThatThrownBy(() -> store.commit(lease, run.step("late")))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> store.record(lease, List.of(), List.of()))
        .isInstanceOf(LeaseLostException.class);
    assertThatThrownBy(() -> store.signals(lease)).isInstanceOf(LeaseLostException.class);
    assertThat(claim().checkpoint().number()).isZero();
    assertThat(backend.events(run.id())).isEmpty();
  }

  @Test
  void refusesACommitBehindAnotherCheckpointThanTheLast() {
    var first = run.step("one");
    store.commit(lease, first);
    var forked = SampleRun.of(run.id()).step("another");

    assertThatThrownBy(() -> store.commit(lease, forked)).isInstanceOf(LeaseLostException.class);
    assertThat(claim().checkpoint().state().get("log")).isEqualTo(ListValue.texts("one"));
  }

  @Test
  void stopsARunThatIsToBeCancelled() {
    backend.cancel(run.id());

    assertThat(store.commit(lease, run.step("one")))
        .isInstanceOf(CommitResult.CancelRequested.class);
    assertThat(store.signals(lease).cancelRequested()).isTrue();
    assertThat(claim().checkpoint().number()).isZero();
  }

  @Test
  void letsARunSucceedThatIsToBeCancelled() {
    backend.cancel(run.id());

    assertThat(store.commit(lease, run.finish(run.done(run.task(SampleRun.A), "one"))))
        .isInstanceOf(CommitResult.Committed.class);
    assertThat(claim().head().status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// E35
  @Test
  void closesOpenInterruptsWhenTheRunIsCancelled() {
    store.commit(
        lease, run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), interrupt(1))));
    backend.cancel(run.id());

    store.commit(lease, run.onlyHead(run.head(RunStatus.CANCELLED), "run.cancelled"));

    assertThat(backend.interruptStatus(run.id(), interrupt(1))).isEqualTo("cancelled");
    assertThat(backend.answer(run.id(), interrupt(1), Value.TRUE)).isFalse();
  }

  /// E33
  @Test
  void keepsWhatIsKnownOfAHeldSuperstep() {
    var done = run.done(run.task(SampleRun.A), "one");
    var asks = run.asks(run.task(SampleRun.B), interrupt(1));
    var failed =
        run.record(
            new TaskKey(1, SampleRun.B, "d1"),
            new TaskStatus.Failed(TaskError.retryable("http_500", "the server is ill")));

    store.commit(lease, run.hold(RunStatus.INTERRUPTED, 0, done, asks, failed));

    var held = claim().checkpoint();
    assertThat(held.held().values()).containsExactlyInAnyOrder(done, asks, failed);
    assertThat(held.superstep()).isZero();
    assertThat(held.state().get("log")).isNull();
    assertThat(held.stamp().kind()).isEqualTo(CheckpointKind.HELD);
  }

  /// E33
  @Test
  void keepsTheLastRecordOfATaskThatIsHeldTwice() {
    var waits = new TaskStatus.Waiting(SampleRun.THEN.plusSeconds(60), Why.RETRY);
    var done = run.done(run.task(SampleRun.A), "one");
    store.commit(
        lease, run.hold(RunStatus.WAITING, 0, done, run.record(run.task(SampleRun.B), waits)));
    var ended =
        run.record(run.task(SampleRun.B), new TaskStatus.Failed(TaskError.permanent("x", "y")));
    store.commit(lease, run.hold(RunStatus.FAILED, 0, ended));

    assertThat(claim().checkpoint().held().values()).containsExactlyInAnyOrder(done, ended);
  }

  private static InboxMessage message(int seq) {
    var id = "m" + seq;
    return new InboxMessage(seq, id, "log", Value.of(id), IfUntaken.FOLD, SampleRun.THEN);
  }

  private TaskRecord taken(String id) {
    return run.done(new TaskKey(run.task(SampleRun.A).superstep(), NodeId.INBOX, id), id);
  }

  /// E49
  @Test
  void givesEachMessageUntilACommitHasTakenIt() {
    backend.send(run.id(), message(1));
    backend.send(run.id(), message(2));
    assertThat(store.signals(lease).messages()).containsExactly(message(1), message(2));
    assertThat(store.signals(lease, 1).messages()).endsWith(message(2));

    store.commit(lease, run.step(run.done(run.task(SampleRun.A), "one"), taken("m1")));

    assertThat(store.signals(lease).messages()).containsExactly(message(2));
    var image = claim();
    assertThat(image.signals().messages()).containsExactly(message(2));
    assertThat(image.checkpoint().state().get("log")).isEqualTo(ListValue.texts("one", "m1"));
  }

  /// E49: any commit but the last may leave it to the next one.
  @Test
  void doesNotEndARunOverAMessageTheDriverDoesNotKnow() {
    backend.send(run.id(), message(1));
    store.commit(lease, run.step("one"));
    var before = run.last();
    var last = SampleRun.of(run.id());
    last.step("one");

    assertThat(store.commit(lease, run.finish(run.done(run.task(SampleRun.A), "two"))))
        .isInstanceOf(CommitResult.AnswersPending.class);
    assertThat(store.commit(lease, List.of(last.finish(last.done(last.task(SampleRun.A), "two")))))
        .isInstanceOf(CommitResult.AnswersPending.class);

    assertThat(claim().checkpoint().number()).isEqualTo(before.number());
  }

  /// E35
  @Test
  void holdsNothingOverAnAnswerTheDriverDoesNotKnow() {
    var asks = run.asks(run.task(SampleRun.A), interrupt(1));
    store.commit(lease, run.hold(RunStatus.INTERRUPTED, 0, asks));
    assertThat(backend.answer(run.id(), interrupt(1), Value.TRUE)).isTrue();
    var before = run.last();

    var again = run.asks(run.task(SampleRun.B), interrupt(2));
    assertThat(store.commit(lease, run.hold(RunStatus.INTERRUPTED, 0, again)))
        .isInstanceOf(CommitResult.AnswersPending.class);
    assertThat(claim().checkpoint().number()).isEqualTo(before.number());
  }

  /// E35
  @Test
  void holdsOnceTheDriverKnowsAllAnswers() {
    var asks = run.asks(run.task(SampleRun.A), interrupt(1));
    store.commit(lease, run.hold(RunStatus.INTERRUPTED, 0, asks));
    backend.answer(run.id(), interrupt(1), Value.TRUE);
    var runSignals = store.signals(lease);

    var again = run.asks(run.task(SampleRun.B), interrupt(2));
    assertThat(
            store.commit(lease, run.hold(RunStatus.INTERRUPTED, runSignals.answersCount(), again)))
        .isInstanceOf(CommitResult.Committed.class);
  }

  /// E35
  @Test
  void takesAnAnswerAsSoonAsTheQuestionIsRecorded() {
    store.record(lease, List.of(run.asks(run.task(SampleRun.A), interrupt(1))), List.of());

    assertThat(backend.answer(run.id(), interrupt(1), Value.NULL)).isTrue();
    assertThat(backend.answer(run.id(), interrupt(1), Value.TRUE)).isFalse();

    var runSignals = store.signals(lease);
    assertThat(runSignals.answers())
        .containsExactly(new RunSignals.Answer(interrupt(1), Value.NULL));
    assertThat(runSignals.answersCount()).isEqualTo(1);
  }

  /// E37
  @Test
  void closesAQuestionThatItsTaskNoLongerAsks() {
    store.commit(
        lease, run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), interrupt(1))));
    var record =
        new TaskRecord(
            run.task(SampleRun.A),
            1,
            0,
            SampleRun.ASKED_ONCE,
            new TaskStatus.Failed(TaskError.permanent("interrupt_expired", "nobody answered")),
            SampleRun.THEN,
            SampleRun.THEN,
            TaskRecord.Left.NOTHING);

    store.commit(lease, run.hold(RunStatus.FAILED, 0, record));

    assertThat(backend.interruptStatus(run.id(), interrupt(1))).isEqualTo("expired");
  }

  /// E37
  @Test
  void closesAQuestionWhoseDefaultAnswerLetTheSuperstepCommit() {
    store.commit(
        lease, run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), interrupt(1))));
    var key = run.task(SampleRun.A);
    var done = run.done(key, "one");
    var answered =
        new TaskRecord(
            key,
            1,
            1,
            SampleRun.ASKED_ONCE,
            done.status(),
            SampleRun.THEN,
            SampleRun.THEN,
            TaskRecord.Left.NOTHING);

    store.commit(lease, run.step(answered));

    assertThat(backend.interruptStatus(run.id(), interrupt(1))).isEqualTo("expired");
  }

  /// E37: an answer that was accepted counts.
  @Test
  void commitsNoSuperstepThatAskedOverAnAnswerTheDriverDoesNotKnow() {
    var key = run.task(SampleRun.A);
    store.commit(lease, run.hold(RunStatus.INTERRUPTED, 0, run.asks(key, interrupt(1))));
    backend.answer(run.id(), interrupt(1), Value.TRUE);
    var byDefault =
        new TaskRecord(
            key,
            1,
            1,
            SampleRun.ASKED_ONCE,
            run.done(key, "by default").status(),
            SampleRun.THEN,
            SampleRun.THEN,
            TaskRecord.Left.NOTHING);
    var last = SampleRun.of(run.id());
    last.hold(RunStatus.INTERRUPTED, 0, run.asks(key, interrupt(1)));

    assertThat(store.commit(lease, run.step(byDefault)))
        .isInstanceOf(CommitResult.AnswersPending.class);
    assertThat(store.commit(lease, last.finish(byDefault)))
        .isInstanceOf(CommitResult.AnswersPending.class);

    assertThat(claim().checkpoint().number()).isEqualTo(1);
    assertThat(backend.interruptStatus(run.id(), interrupt(1))).isEqualTo("answered");
  }

  /// E37
  @Test
  void acceptsNoAnswerToAQuestionThatHasExpired() {
    store.record(lease, List.of(run.asks(run.task(SampleRun.A), interrupt(1))), List.of());

    assertThat(store.expire(lease, List.of(interrupt(1))).answers()).isEmpty();

    assertThat(backend.answer(run.id(), interrupt(1), Value.TRUE)).isFalse();
    assertThat(backend.interruptStatus(run.id(), interrupt(1))).isEqualTo("expired");
  }

  /// E37
  @Test
  void expiresNoQuestionThatHasBeenAnswered() {
    var asks = run.asks(run.task(SampleRun.A), interrupt(1));
    var asksToo = run.asks(run.task(SampleRun.B), interrupt(2));
    store.record(lease, List.of(asks, asksToo), List.of());
    backend.answer(run.id(), interrupt(1), Value.TRUE);

    var runSignals = store.expire(lease, List.of(interrupt(1), interrupt(2)));

    assertThat(runSignals.answers())
        .containsExactly(new RunSignals.Answer(interrupt(1), Value.TRUE));
    assertThat(runSignals.answersCount()).isEqualTo(1);
    assertThat(backend.interruptStatus(run.id(), interrupt(1))).isEqualTo("answered");
    assertThat(backend.interruptStatus(run.id(), interrupt(2))).isEqualTo("expired");
  }

  @Test
  void letsNoZombieExpireAQuestion() {
    store.record(lease, List.of(run.asks(run.task(SampleRun.A), interrupt(1))), List.of());
    claim();

    assertThatThrownBy(() -> store.expire(lease, List.of(interrupt(1))))
        .isInstanceOf(LeaseLostException.class);
    assertThat(backend.interruptStatus(run.id(), interrupt(1))).isEqualTo("open");
  }

  /// E34
  @Test
  void handsOverResolutionsOfTheOpenSuperstep() {
    var failed = new TaskStatus.Failed(TaskError.permanent("x", "y"));
    var key = run.task(SampleRun.A);
    store.commit(lease, run.hold(RunStatus.FAILED, 0, run.record(key, failed)));
    var change = Change.update("log", Value.of("by hand"));
    backend.resolve(run.id(), key, change);

    assertThat(store.signals(lease).resolutions())
        .containsExactly(new RunSignals.Resolution(key, change));
    store.commit(lease, run.step(run.done(key, "by hand")));
    assertThat(store.signals(lease).resolutions()).isEmpty();
  }

  /// E10
  @Test
  void givesRecordedOutcomesToTheNextOwner() {
    var done = run.done(run.task(SampleRun.A), "one");
    store.record(lease, List.of(done), List.of());

    var image = claim();

    assertThat(image.checkpoint().held()).containsEntry(done.key(), done);
    assertThat(image.checkpoint().number()).isZero();
  }

  /// E10
  @Test
  void keepsTheLastOfSeveralRecordsOfATask() {
    var key = run.task(SampleRun.A);
    var waits = run.record(key, new TaskStatus.Waiting(SampleRun.THEN.plusSeconds(1), Why.RETRY));
    var done = run.done(key, "one");
    store.record(lease, List.of(waits), List.of());
    store.record(lease, List.of(done), List.of());

    assertThat(claim().checkpoint().held()).containsEntry(key, done);
  }

  /// E10: a task that runs keeps its parts, and its outcome takes their place.
  @Test
  void givesPartsToTheNextOwnerUntilTheTaskHasEnded() {
    var key = run.task(SampleRun.A);
    var open = run.record(key, new TaskStatus.Open(), ObjectValue.of("call-1", Value.of("done")));
    var done = run.done(key, "one");
    store.record(lease, List.of(open), List.of());

    var next = claim();
    assertThat(next.checkpoint().held()).containsEntry(key, open);
    store.record(next.lease(), List.of(done), List.of());
    assertThat(claim().checkpoint().held()).containsEntry(key, done);
  }

  /// E10
  @Test
  void dropsRecordedOutcomesWithTheCommitOfTheirSuperstep() {
    var done = run.done(run.task(SampleRun.A), "one");
    store.record(lease, List.of(done), List.of());
    store.commit(lease, run.step(done));

    assertThat(claim().checkpoint().held()).isEmpty();
  }

  /// E10
  @Test
  void keepsRecordedOutcomesThatAHoldDoesNotInclude() {
    var done = run.done(run.task(SampleRun.A), "one");
    var asks = run.asks(run.task(SampleRun.B), interrupt(1));
    store.record(lease, List.of(done), List.of());
    store.commit(lease, run.hold(RunStatus.INTERRUPTED, 0, asks));

    assertThat(claim().checkpoint().held().values()).containsExactlyInAnyOrder(done, asks);
  }

  @Test
  void numbersEventsWithoutGaps() {
    store.commit(lease, run.step("one"));
    store.record(
        lease,
        List.of(run.asks(run.task(SampleRun.A), interrupt(1))),
        List.of(
            Event.of("task.interrupted", run.task(SampleRun.A), ObjectValue.empty()),
            Event.of("custom", ObjectValue.empty())));
    store.commit(lease, run.onlyHead(run.head(RunStatus.RUNNING), "custom"));
    store.commit(
        lease, run.hold(RunStatus.INTERRUPTED, 0, run.asks(run.task(SampleRun.A), interrupt(1))));

    var events = backend.events(run.id());

    assertThat(events.stream().mapToLong(StoreBackend.Numbered::seq))
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 5).boxed().toList());
    assertThat(events.stream().map(it -> it.event().type()))
        .containsExactly(
            "superstep.committed", "task.interrupted", "custom", "custom", "run.interrupted");
    assertThat(events.get(1).event().node()).contains(SampleRun.A);
    assertThat(events.get(0).event().data().get("tasks")).isEqualTo(Value.of(1L));
  }

  /// E38
  @Test
  void keepsTheHeadAsItWasWrittenLast() {
    var runHead =
        new RunHead(
            RunStatus.INTERRUPTED,
            0,
            Optional.of(RunError.of("stalled_join", "b never came")),
            Optional.of(new RunHead.Breakpoint("before", List.of("a", "b"))),
            Optional.of(SampleRun.THEN.plusSeconds(3600)),
            new RunHead.Passed(0, true, false),
            Duration.ofMillis(1234));
    store.commit(lease, run.onlyHead(runHead, "run.interrupted"));

    var image = claim();

    assertThat(image.head()).isEqualTo(runHead);
    assertThat(image.checkpoint().number()).isZero();
  }

  private String interrupt(int number) {
    return run.id() + "-" + number;
  }
}
