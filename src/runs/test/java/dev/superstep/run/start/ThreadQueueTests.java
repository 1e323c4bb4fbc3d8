package dev.superstep.run.start;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.resume;
import static dev.superstep.run.TestGraphs.fails;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.IfBusy;
import dev.superstep.run.Page;
import dev.superstep.run.RunTest;
import dev.superstep.run.ThreadCheckpoint;
import dev.superstep.run.ThreadScenarios;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// C33: what a conversation goes on from, and what happens to a run that finds it busy.
@RunTest
class ThreadQueueTests extends ThreadScenarios {
  @Autowired private Reconciler reconciler;

  @Test
  void goesOnFromTheNewestCheckpointHoweverTheRunEnded() {
    var fails = new AtomicBoolean(true);
    var name = fresh("ends");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", call -> fails.get() ? fails("broken") : says("b").run(call))
                .edge("__start__", "a")
                .edge("a", "b"));
    var thread = fresh("thread");
    var failed = on.runs().start(post(name, thread, "one", IfBusy.REJECT)).run();
    on.await(failed, RunStatus.FAILED);

    fails.set(false);
    var next = on.runs().start(post(name, thread, "two", IfBusy.REJECT)).run();
    on.await(next, RunStatus.SUCCEEDED);

    assertThat(on.log(next)).containsExactly("one", "a", "two", "a", "b");
    // The failed run takes the thread again, and what it commits is the thread's state.
    on.runs().resume(resume(failed));
    on.await(failed, RunStatus.SUCCEEDED);
    assertThat(threadLog(thread)).containsExactly("one", "a", "b");
    assertThat(on.threads().thread(thread).head().map(CheckpointRef::run)).contains(failed);
    // What it had committed before the other run stands behind that one's, page by page as well.
    var all = on.threads().history(thread, new Page.Request(Optional.empty(), 50)).items();
    var pages = new ArrayList<ThreadCheckpoint>();
    var cursor = Optional.<String>empty();
    do {
      var page = on.threads().history(thread, new Page.Request(cursor, 1));
      pages.addAll(page.items());
      cursor = page.next();
    } while (cursor.isPresent());
    assertThat(pages).isEqualTo(all);
    assertThat(all).hasSize(6);
  }

  /// A start that follows would make the thread anew.
  @Test
  void endsNothingOnAThreadThatIsGone() {
    assertThat(refused(() -> on.runs().endStopped(fresh("thread"))).code())
        .isEqualTo(ErrorCode.THREAD_NOT_FOUND);
  }

  @Test
  void goesOnFromWhereACancelledRunIsCommitted() throws Exception {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    on.runs().cancel(first);
    on.await(first, RunStatus.CANCELLED);

    var next = on.runs().start(post(name, thread, "two", IfBusy.REJECT)).run();
    gate.countDown();

    // "hold" is still true in the state: the gate is open now.
    on.await(next, RunStatus.SUCCEEDED);
    assertThat(on.log(next)).containsExactly("one", "a", "two", "a", "b");
  }

  /// What is cancelled goes on from where it was.
  @Test
  void keepsWhatACancelledRunHasDone() {
    var gate = new CountDownLatch(1);
    var entered = new AtomicInteger();
    var name = held(gate, entered::incrementAndGet);
    var thread = fresh("thread");
    on.runs().start(holds(name, thread, "one"));
    await().until(() -> entered.get() == 1);

    var next = on.runs().start(post(name, thread, "two", IfBusy.ROLLBACK)).run();
    on.await(next, RunStatus.SUCCEEDED);
    assertThat(threadLog(thread)).containsExactly("two", "a", "b");
    on.runs().delete(next);
    assertThat(on.threads().thread(thread).head()).isEmpty();

    var other = fresh("thread");
    on.runs().start(holds(name, other, "one"));
    await().until(() -> entered.get() == 2);
    var last = on.runs().start(post(name, other, unheld("two"), IfBusy.INTERRUPT)).run();
    on.await(last, RunStatus.SUCCEEDED);
    assertThat(threadLog(other)).containsExactly("one", "a", "two", "a", "b");
    gate.countDown();
  }

  private static ObjectValue unheld(String text) {
    return ObjectValue.of("log", Value.of(text)).plus("hold", Value.of(false));
  }

  /// The head is the run with the newest turn that is still there, whichever of them are erased.
  @Test
  void goesOnFromWhatIsLeftWhenRunsAreErased() {
    var name = held(new CountDownLatch(0));
    var thread = fresh("thread");
    var runs = new ArrayList<String>();
    for (int i = 0; i < 4; i++) {
      runs.add(on.runs().start(post(name, thread, "p" + i, IfBusy.REJECT)).run());
      on.await(runs.getLast(), RunStatus.SUCCEEDED);
    }

    on.runs().delete(runs.get(1));
    assertThat(threadLog(thread)).containsSequence("p0", "a", "b", "p1", "a", "b", "p2", "a", "b");
    on.runs().delete(runs.get(3));
    assertThat(threadLog(thread)).endsWith("p2", "a", "b");
    on.runs().delete(runs.get(2));
    assertThat(threadLog(thread)).containsExactly("p0", "a", "b");

    var next = on.runs().start(post(name, thread, "next", IfBusy.REJECT)).run();
    on.await(next, RunStatus.SUCCEEDED);
    assertThat(threadLog(thread)).containsExactly("p0", "a", "b", "next", "a", "b");
    assertThat(inOrder(thread)).containsExactly(runs.getFirst(), next);
  }

  @Test
  void goesOnFromTheSamePlaceWhenItIsRolledBackTwice() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    on.await(on.runs().start(post(name, thread, "zero", IfBusy.REJECT)).run(), RunStatus.SUCCEEDED);
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var held = ObjectValue.of("log", Value.of("two")).plus("hold", Value.of(true));
    var second = on.runs().start(post(name, thread, held, IfBusy.ROLLBACK)).run();
    awaitCheckpoint(second, 1);

    var third = on.runs().start(post(name, thread, "three", IfBusy.ROLLBACK)).run();

    on.await(third, RunStatus.SUCCEEDED);
    assertThat(threadLog(thread)).containsExactly("zero", "a", "b", "three", "a", "b");
    gate.countDown();
  }

  /// A request that cannot begin leaves the run alone that it would have ended.
  @Test
  void endsNothingForAnInputThatDoesNotFit() {
    var name = asking();
    var thread = fresh("thread");
    var first = on.runs().start(post(name, thread, "one", IfBusy.REJECT)).run();
    on.await(first, RunStatus.INTERRUPTED);
    var bad = ObjectValue.of("sum", Value.of("no number"));

    for (var ifBusy : List.of(IfBusy.INTERRUPT, IfBusy.ROLLBACK)) {
      assertThat(refused(() -> on.runs().start(post(name, thread, bad, ifBusy))).code())
          .isEqualTo(ErrorCode.INVALID_INPUT);
    }

    assertThat(on.queries().run(first).interrupts()).hasSize(1);
    assertThat(threadLog(thread)).containsExactly("one", "a");
  }

  @Test
  void startsEnqueuedRunsInOrderFromTheStateThatThereIsThen() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);

    var second = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();
    var third = on.runs().start(post(name, thread, "three", IfBusy.ENQUEUE)).run();

    assertThat(on.status(second)).isEqualTo(RunStatus.QUEUED);
    assertThat(refused(() -> on.queries().state(second, Optional.empty())).code())
        .isEqualTo(ErrorCode.CHECKPOINT_NOT_FOUND);
    assertThat(refused(() -> on.runs().start(post(name, thread, "x", IfBusy.REJECT))).code())
        .isEqualTo(ErrorCode.THREAD_BUSY);
    gate.countDown();
    on.await(third, RunStatus.SUCCEEDED);
    on.await(second, RunStatus.SUCCEEDED);
    assertThat(on.log(third)).containsExactly("one", "a", "b", "two", "a", "b", "three", "a", "b");
    assertThat(on.events(third)).startsWith("run.created", "run.started");
  }

  @Test
  void interruptsWhatIsActiveAndGoesOnFromWhereThatIsCommitted() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var waiting = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();

    var input = ObjectValue.of("log", Value.of("three")).plus("hold", Value.of(false));
    var last = on.runs().start(post(name, thread, input, IfBusy.INTERRUPT)).run();

    on.await(last, RunStatus.SUCCEEDED);
    on.await(first, RunStatus.CANCELLED);
    on.await(waiting, RunStatus.CANCELLED);
    // What the waiting run was to say was accepted, and is not lost.
    assertThat(on.log(last)).containsExactly("one", "a", "two", "three", "a", "b");
    gate.countDown();
  }

  @Test
  void rollsBackWhatIsActiveAndGoesOnFromWhereThatBegan() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    on.await(on.runs().start(post(name, thread, "zero", IfBusy.REJECT)).run(), RunStatus.SUCCEEDED);
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var waiting = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();

    var last = on.runs().start(post(name, thread, "three", IfBusy.ROLLBACK)).run();

    on.await(last, RunStatus.SUCCEEDED);
    on.await(first, RunStatus.CANCELLED);
    on.await(waiting, RunStatus.CANCELLED);
    assertThat(on.log(last)).containsExactly("zero", "a", "b", "three", "a", "b");
    gate.countDown();
  }

  @Test
  void goesOnPastAQuestionThatNobodyAnswers() {
    var name = asking();
    var thread = fresh("thread");
    var first = on.runs().start(post(name, thread, "one", IfBusy.REJECT)).run();
    on.await(first, RunStatus.INTERRUPTED);

    var second = on.runs().start(post(name, thread, "two", IfBusy.INTERRUPT)).run();

    on.await(second, RunStatus.INTERRUPTED);
    assertThat(on.status(first)).isEqualTo(RunStatus.CANCELLED);
    assertThat(on.log(second)).containsExactly("one", "a", "two", "a");
  }

  @Test
  void failsAnEnqueuedRunWhoseInputDoesNotFitAndStartsTheNext() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var bad = ObjectValue.of("sum", Value.of("no number"));
    var second = on.runs().start(post(name, thread, bad, IfBusy.ENQUEUE)).run();
    var third = on.runs().start(post(name, thread, "three", IfBusy.ENQUEUE)).run();

    gate.countDown();

    on.await(third, RunStatus.SUCCEEDED);
    var error = on.await(second, RunStatus.FAILED).summary().standing().error().orElseThrow();
    assertThat(error.error().code()).isEqualTo("reducer_failed");
    assertThat(refused(() -> on.runs().resume(resume(second))).code())
        .isEqualTo(ErrorCode.RUN_NOT_RESUMABLE);
    assertThat(on.log(third)).containsExactly("one", "a", "b", "three", "a", "b");
  }

  @Test
  void takesAnEnqueuedRunOutOfTheQueueWhenItIsCancelled() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    var second = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();
    var third = on.runs().start(post(name, thread, "three", IfBusy.ENQUEUE)).run();

    on.runs().cancel(second);

    on.await(second, RunStatus.CANCELLED);
    gate.countDown();
    on.await(third, RunStatus.SUCCEEDED);
    assertThat(on.log(third)).containsExactly("one", "a", "b", "three", "a", "b");
  }

  /// As if the replica had died between the end of one run and the start of the next.
  @Test
  void startsARunThatACrashHasLeftWaiting() {
    var name = asking();
    var thread = fresh("thread");
    var first = on.runs().start(post(name, thread, "one", IfBusy.REJECT)).run();
    on.await(first, RunStatus.INTERRUPTED);
    var second = on.runs().start(post(name, thread, "two", IfBusy.ENQUEUE)).run();
    on.jdbc().sql("update run set status = 'failed' where id = ?").param(first).update();

    reconciler.reconcile();
    reconciler.reconcile();

    on.await(second, RunStatus.INTERRUPTED);
    assertThat(on.log(second)).containsExactly("one", "a", "two", "a");
    assertThat(on.events(second)).containsOnlyOnce("run.started");
  }

  @Test
  void boundsTheQueueOfAThread() {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");
    var first = on.runs().start(holds(name, thread, "one")).run();
    awaitCheckpoint(first, 1);
    for (int i = 0; i < 200; i++) {
      on.runs().start(post(name, thread, "more", IfBusy.ENQUEUE));
    }

    assertThat(refused(() -> on.runs().start(post(name, thread, "x", IfBusy.ENQUEUE))).code())
        .isEqualTo(ErrorCode.QUOTA_EXCEEDED);

    var last = on.runs().start(post(name, thread, "last", IfBusy.ROLLBACK)).run();
    on.await(last, RunStatus.SUCCEEDED);
    assertThat(on.log(last)).containsExactly("last", "a", "b");
    gate.countDown();
  }

  /// Each strategy under a hundred posts at once.
  @Test
  void refusesAllButOneOfAHundredPostsAtOnce() throws Exception {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");

    var outcomes = atOnce(100, i -> tryStart(holds(name, thread, "p" + i)));

    assertThat(outcomes).filteredOn("thread_busy"::equals).hasSize(99);
    gate.countDown();
    var run = outcomes.stream().filter(it -> !it.equals("thread_busy")).findFirst().orElseThrow();
    on.await(run, RunStatus.SUCCEEDED);
  }

  @Test
  void runsAllOfAHundredEnqueuedPostsOneAfterTheOther() throws Exception {
    var name = held(new CountDownLatch(0));
    var thread = fresh("thread");

    var runs = atOnce(100, i -> tryStart(post(name, thread, "p" + i, IfBusy.ENQUEUE)));

    runs.forEach(it -> on.await(it, RunStatus.SUCCEEDED));
    var byOrdinal = inOrder(thread);
    assertThat(byOrdinal).containsExactlyInAnyOrderElementsOf(runs);
    var expected = new ArrayList<String>();
    for (var run : byOrdinal) {
      expected.addAll(List.of("p" + runs.indexOf(run), "a", "b"));
    }
    assertThat(threadLog(thread)).containsExactlyElementsOf(expected);
  }

  @Test
  void keepsWhatAHundredInterruptingPostsSayInOrder() throws Exception {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");

    var runs =
        atOnce(
            100,
            i -> {
              var input = ObjectValue.of("log", Value.of("p" + i)).plus("hold", Value.of(true));
              return tryStart(post(name, thread, input, IfBusy.INTERRUPT));
            });

    var byOrdinal = inOrder(thread);
    var last = byOrdinal.getLast();
    awaitCheckpoint(last, 1);
    gate.countDown();
    on.await(last, RunStatus.SUCCEEDED);
    byOrdinal.subList(0, 99).forEach(it -> on.await(it, RunStatus.CANCELLED));
    var said = threadLog(thread).stream().filter(it -> it.startsWith("p")).toList();
    assertThat(said)
        .containsExactlyElementsOf(byOrdinal.stream().map(it -> "p" + runs.indexOf(it)).toList());
  }

  @Test
  void forgetsWhatAllButTheLastOfAHundredRollingBackPostsSay() throws Exception {
    var gate = new CountDownLatch(1);
    var name = held(gate);
    var thread = fresh("thread");

    var runs =
        atOnce(
            100,
            i -> {
              var input = ObjectValue.of("log", Value.of("p" + i)).plus("hold", Value.of(true));
              return tryStart(post(name, thread, input, IfBusy.ROLLBACK));
            });

    var byOrdinal = inOrder(thread);
    var last = byOrdinal.getLast();
    awaitCheckpoint(last, 1);
    gate.countDown();
    on.await(last, RunStatus.SUCCEEDED);
    byOrdinal.subList(0, 99).forEach(it -> on.await(it, RunStatus.CANCELLED));
    assertThat(threadLog(thread)).containsExactly("p" + runs.indexOf(last), "a", "b");
  }
}
