package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// C33: forks that join a conversation, which may be busy.
@RunTest
class ThreadForkTests extends ThreadScenarios {

  /// Goes on from behind `a`, does not wait in `hold`.
  private static ForkRun fork(String source, String thread, String text, IfBusy ifBusy) {
    return fork(source, thread, text, ifBusy, false);
  }

  private static ForkRun fork(
      String source, String thread, String text, IfBusy ifBusy, boolean holds) {
    var change = Change.update(ObjectValue.of("log", Value.of(text)).plus("hold", Value.of(holds)));
    return TestFork.of(source, 1).change(change).onThread(thread, ifBusy).request();
  }

  @Test
  void refusesAForkOfABusyThreadUnlessItSaysOtherwise() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);

    assertThat(refused(() -> on.runs().fork(fork(first, thread, "f", IfBusy.REJECT))).code())
        .isEqualTo(ErrorCode.THREAD_BUSY);

    gate.countDown();
    on.await(first, RunStatus.SUCCEEDED);
    assertThat(threadLog(thread)).containsExactly("one", "a", "b");
  }

  @Test
  void beginsAnEnqueuedForkInItsTurnFromItsOwnCheckpoint() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var second = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();

    var fork = on.runs().fork(fork(first, thread, "f", IfBusy.ENQUEUE));
    var last = on.runs().start(post(name, thread, "three", IfBusy.ENQUEUE)).run();

    assertThat(on.status(fork)).isEqualTo(RunStatus.QUEUED);
    assertThat(on.log(fork)).containsExactly("one", "a", "f");
    gate.countDown();
    on.await(last, RunStatus.SUCCEEDED);
    assertThat(on.log(second)).containsExactly("one", "a", "b", "two", "a", "b");
    assertThat(on.log(fork)).containsExactly("one", "a", "f", "b");
    assertThat(threadLog(thread)).containsExactly("one", "a", "f", "b", "three", "a", "b");
    assertThat(inOrder(thread)).containsExactly(first, second, fork, last);
    assertThat(on.events(fork)).startsWith("run.created", "run.started");
    assertThat(on.queries().summary(fork).origin().parent())
        .contains(new RunSummary.Parent(first, 1, Optional.empty()));
  }

  /// The usual edit of something said: the source is the run that is ended.
  @Test
  void endsTheRunThatItForks() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var waiting = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();

    var fork = on.runs().fork(fork(first, thread, "f", IfBusy.INTERRUPT));

    on.await(fork, RunStatus.SUCCEEDED);
    on.await(first, RunStatus.CANCELLED);
    on.await(waiting, RunStatus.CANCELLED);
    assertThat(threadLog(thread)).containsExactly("one", "a", "f", "b");
    // What was ended stays part of the thread: it is its state again without the fork.
    assertThat(on.log(waiting)).containsExactly("one", "a", "two");
    on.runs().delete(fork);
    assertThat(threadLog(thread)).containsExactly("one", "a", "two");
    gate.countDown();
  }

  @Test
  void endsARunThatNobodyDrivesAndBeginsAtOnce() {
    var name = asking();
    var thread = fresh("thread");
    var first = on.runs().start(post(name, thread, "one", IfBusy.REJECT)).run();
    on.await(first, RunStatus.INTERRUPTED);

    var fork = on.runs().fork(fork(first, thread, "f", IfBusy.INTERRUPT));

    on.await(fork, RunStatus.INTERRUPTED);
    assertThat(on.status(first)).isEqualTo(RunStatus.CANCELLED);
    assertThat(on.queries().run(first).interrupts()).isEmpty();
    assertThat(threadLog(thread)).containsExactly("one", "a", "f");
  }

  @Test
  void leavesTheRunThatItRollsBackOutOfTheThread() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    on.await(on.runs().start(post(name, thread, "zero", IfBusy.REJECT)).run(), RunStatus.SUCCEEDED);
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var waiting = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();

    var fork = on.runs().fork(fork(first, thread, "f", IfBusy.ROLLBACK));

    on.await(fork, RunStatus.SUCCEEDED);
    on.await(first, RunStatus.CANCELLED);
    on.await(waiting, RunStatus.CANCELLED);
    assertThat(threadLog(thread)).containsExactly("zero", "a", "b", "one", "a", "f", "b");
    on.runs().delete(fork);
    assertThat(threadLog(thread)).containsExactly("zero", "a", "b");
    gate.countDown();
  }

  /// Like the input of a run that waits, what a waiting fork brings is committed before it ends.
  @Test
  void keepsWhatAForkBringsThatIsInterruptedWhileItWaits() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var fork = on.runs().fork(fork(first, thread, "f", IfBusy.ENQUEUE));

    var last = on.runs().start(post(name, thread, "last", IfBusy.INTERRUPT)).run();

    gate.countDown();
    on.await(fork, RunStatus.CANCELLED);
    awaitCheckpoint(last, 0);
    assertThat(threadLog(thread)).startsWith("one", "a", "f", "last");
    on.await(last, RunStatus.SUCCEEDED);
  }

  @Test
  void forgetsAForkThatIsCancelledOrRolledBackWhileItWaits() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var cancelled = on.runs().fork(fork(first, thread, "f", IfBusy.ENQUEUE));
    var rolledBack = on.runs().fork(fork(first, thread, "g", IfBusy.ENQUEUE));
    on.runs().cancel(cancelled);

    var last = on.runs().start(post(name, thread, "last", IfBusy.ROLLBACK)).run();

    on.await(last, RunStatus.SUCCEEDED);
    assertThat(List.of(on.status(cancelled), on.status(rolledBack)))
        .containsOnly(RunStatus.CANCELLED);
    assertThat(threadLog(thread)).containsExactly("last", "a", "b");
    gate.countDown();
  }

  @Test
  void needsItsSourceNoMoreWhileItWaits() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var source = on.runs().start(post(name, fresh("other"), "one", IfBusy.REJECT)).run();
    on.await(source, RunStatus.SUCCEEDED);
    var active = on.runs().start(holds(name, thread, "active")).run();
    awaitCheckpoint(active, 1);
    var fork = on.runs().fork(fork(source, thread, "f", IfBusy.ENQUEUE));

    on.runs().delete(source);
    gate.countDown();

    on.await(fork, RunStatus.SUCCEEDED);
    assertThat(threadLog(thread)).containsExactly("one", "a", "f", "b");
  }

  @Test
  void changesNothingIfTheForkIsRefused() {
    var name = asking();
    var thread = fresh("thread");
    var first = on.runs().start(post(name, thread, "one", IfBusy.REJECT)).run();
    on.await(first, RunStatus.INTERRUPTED);
    var waiting = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();

    var bad = TestFork.of(first, 99).onThread(thread, IfBusy.INTERRUPT).request();
    assertThat(refused(() -> on.runs().fork(bad)).code()).isEqualTo(ErrorCode.CHECKPOINT_NOT_FOUND);

    assertThat(on.status(first)).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(on.status(waiting)).isEqualTo(RunStatus.QUEUED);
    assertThat(on.queries().run(first).interrupts()).hasSize(1);
  }

  /// A hundred forks of one run at once on its thread, which it keeps busy.
  @Test
  void takesOneOfAHundredForksAtOnceIfTheyReject() throws Exception {
    var gate = new CountDownLatch(1);
    var thread = fresh("thread");
    var source = source(gate);

    var outcomes =
        atOnce(
            100,
            i -> tried(() -> on.runs().fork(fork(source, thread, "f" + i, IfBusy.REJECT, true))));

    assertThat(outcomes).filteredOn("thread_busy"::equals).hasSize(99);
    gate.countDown();
    var run = outcomes.stream().filter(it -> !it.equals("thread_busy")).findFirst().orElseThrow();
    on.await(run, RunStatus.SUCCEEDED);
  }

  @Test
  void runsAllEnqueuedForksPostedAtOnceOneAfterTheOther() throws Exception {
    var gate = new CountDownLatch(1);
    var thread = fresh("thread");
    var source = source(gate);

    var forks =
        atOnce(
            30,
            i -> tried(() -> on.runs().fork(fork(source, thread, "f" + i, IfBusy.ENQUEUE, true))));

    gate.countDown();
    forks.forEach(it -> on.await(it, RunStatus.SUCCEEDED));
    var byOrdinal = inOrder(thread);
    assertThat(byOrdinal).containsExactlyInAnyOrderElementsOf(forks);
    var last = forks.indexOf(byOrdinal.getLast());
    assertThat(threadLog(thread)).containsExactly("s", "a", "f" + last, "b");
    assertThat(startedInOrder(thread)).isEqualTo(byOrdinal);
  }

  @Test
  void endsAllButTheLastForkIfTheyInterruptOrRollBack() throws Exception {
    for (var ifBusy : List.of(IfBusy.INTERRUPT, IfBusy.ROLLBACK)) {
      var gate = new CountDownLatch(1);
      var thread = fresh("thread");
      var source = source(gate);

      var forks =
          atOnce(30, i -> tried(() -> on.runs().fork(fork(source, thread, "f" + i, ifBusy, true))));

      gate.countDown();
      var byOrdinal = inOrder(thread);
      var last = byOrdinal.getLast();
      on.await(last, RunStatus.SUCCEEDED);
      forks.stream()
          .filter(it -> !it.equals(last))
          .forEach(it -> on.await(it, RunStatus.CANCELLED));
      assertThat(threadLog(thread)).containsExactly("s", "a", "f" + forks.indexOf(last), "b");
      assertThat(turns(thread)).hasSize(ifBusy == IfBusy.INTERRUPT ? 30 : 1);
    }
  }

  /// A run that has said "s" in no thread, with a graph that waits for the gate when told to.
  private String source(CountDownLatch gate) {
    var name = held(gate);
    var run = on.runs().start(post(name, fresh("other"), "s", IfBusy.REJECT)).run();
    on.await(run, RunStatus.SUCCEEDED);
    return run;
  }

  private List<String> startedInOrder(String thread) {
    return on.jdbc()
        .sql("select id from run where thread_id = ? order by started_at")
        .param(thread)
        .query((row, _) -> row.getString(1))
        .list();
  }

  private List<Long> turns(String thread) {
    return on.jdbc()
        .sql("select turn from run where thread_id = ? and turn is not null")
        .param(thread)
        .query((row, _) -> row.getLong(1))
        .list();
  }
}
