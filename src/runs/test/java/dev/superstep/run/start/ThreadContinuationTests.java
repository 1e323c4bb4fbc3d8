package dev.superstep.run.start;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.fails;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.Addressees;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.MayAnswer;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ContinueThread.Continued;
import dev.superstep.run.ContinueThread.ThreadSettings;
import dev.superstep.run.ContinueThread.ThreadWork;
import dev.superstep.run.IfBusy;
import dev.superstep.run.InputEdit;
import dev.superstep.run.Page;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.ResumeRun.ResumeAnswer;
import dev.superstep.run.RunActions;
import dev.superstep.run.RunTest;
import dev.superstep.run.RunsAlone.TestCallers;
import dev.superstep.run.SettingsChange;
import dev.superstep.run.StartRun;
import dev.superstep.run.TaskFilter;
import dev.superstep.run.TestGraphs;
import dev.superstep.run.ThreadScenarios;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// C33: calls that go on with a thread are decided when no run of it moves.
@RunTest
class ThreadContinuationTests extends ThreadScenarios {
  private static final ThreadWork PENDING =
      new ThreadWork(Optional.empty(), Change.NONE, List.of(), false);
  private static final ThreadSettings NOTHING =
      new ThreadSettings(Optional.empty(), ObjectValue.empty(), SettingsChange.NONE);

  private static final ThreadWork YES =
      new ThreadWork(Optional.of(Value.of("yes")), Change.NONE, List.of(), false);

  private static ThreadWork update(Change change) {
    return new ThreadWork(Optional.empty(), change, List.of(), false);
  }

  private Continued goOn(String thread, ThreadWork work, ThreadSettings given, IfBusy ifBusy) {
    var call = new ContinueThread(thread, Optional.empty(), work, given, ifBusy);
    return on.runs().goOn(call, CheckedAnswers.waited(""), _ -> {});
  }

  private Continued wait(String thread, ThreadWork work) {
    var waiting = goOn(thread, work, NOTHING, IfBusy.ENQUEUE);
    assertThat(waiting.isNew()).isTrue();
    assertThat(on.status(waiting.run())).isEqualTo(RunStatus.QUEUED);
    return waiting;
  }

  private void awaitGone(String run) {
    await().untilAsserted(() -> assertThat(inOrder(threadOf)).doesNotContain(run));
  }

  /// Of a run that stops and goes on meanwhile.
  private void awaitSuccess(String run) {
    await().untilAsserted(() -> assertThat(on.status(run)).isEqualTo(RunStatus.SUCCEEDED));
  }

  private String threadOf = "";

  private String begins(String graph, StartRun.Options options) {
    threadOf = fresh("thread");
    return on.runs().start(with(holds(graph, threadOf, "one"), options)).run();
  }

  /// What was pending when the call came has run by the time of its turn.
  @Test
  void runsNothingAgainOfARunThatHasSucceeded() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);
    var waiting = wait(threadOf, PENDING);
    assertThat(on.events(waiting.run())).isEmpty();

    gate.countDown();

    awaitGone(waiting.run());
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "b");
    assertThat(inOrder(threadOf)).containsExactly(run);
  }

  @Test
  void changesTheStateThatTheRunBeforeHasLeft() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);
    var waiting = wait(threadOf, update(Change.update("log", Value.of("edit"))));

    gate.countDown();

    on.await(waiting.run(), RunStatus.SUCCEEDED);
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "b", "edit");
    assertThat(on.events(waiting.run()))
        .containsExactly("run.created", "run.started", "run.succeeded");
  }

  @Test
  void passesTheBreakpointAtWhichTheRunBeforeHasStopped() {
    var gate = new CountDownLatch(1);
    var breakpoints = new Breakpoints(Set.of("b"), Set.of());
    var options = new StartRun.Options(Limits.NONE, breakpoints, 0, Optional.empty());
    var run = begins(held(gate), options);
    awaitCheckpoint(run, 1);
    var waiting = wait(threadOf, PENDING);

    gate.countDown();

    awaitSuccess(run);
    awaitGone(waiting.run());
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "b");
  }

  @Test
  void setsBreakpointsForWhatItResumes() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), afterA());
    on.await(run, RunStatus.INTERRUPTED);
    var before = new SettingsChange(Optional.of(Set.of("b")), Optional.empty());

    var continued =
        goOn(
            threadOf,
            PENDING,
            new ThreadSettings(Optional.of(7), ObjectValue.empty(), before),
            IfBusy.REJECT);
    gate.countDown();

    assertThat(continued.run()).isEqualTo(run);
    assertThat(continued.isNew()).isFalse();
    var view = on.await(run, RunStatus.INTERRUPTED);
    assertThat(view.summary().standing().breakpoint().orElseThrow().nodes()).containsExactly("b");
    assertThat(view.summary().settings().limits().superstepsMax()).contains(8);
  }

  /// A call that an earlier release has stored.
  @Test
  void goesOnWithACallThatNamesADurability() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);
    var waiting = wait(threadOf, update(Change.update("log", Value.of("edit"))));
    on.jdbc()
        .sql(
            """
            update run_input
               set continues = convert_to(
                     (convert_from(continues, 'UTF8')::jsonb || '{"durability": "exit"}')::text,
                     'UTF8')
             where run = ?
            """)
        .param(waiting.run())
        .update();

    gate.countDown();

    on.await(waiting.run(), RunStatus.SUCCEEDED);
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "b", "edit");
  }

  private static StartRun.Options afterA() {
    var breakpoints = new Breakpoints(Set.of(), Set.of("a"));
    return new StartRun.Options(Limits.NONE, breakpoints, 0, Optional.empty());
  }

  /// A fork has the breakpoints of its source, and those of the call.
  @Test
  void keepsBreakpointsInARunOfItsOwn() {
    var run = begins(held(new CountDownLatch(1)), afterA());
    on.await(run, RunStatus.INTERRUPTED);
    on.runs().cancel(run);
    var before = new SettingsChange(Optional.of(Set.of("hold")), Optional.empty());
    var given = new ThreadSettings(Optional.empty(), ObjectValue.empty(), before);

    var fork = goOn(threadOf, PENDING, given, IfBusy.REJECT);

    assertThat(fork.isNew()).isTrue();
    var view = on.await(fork.run(), RunStatus.INTERRUPTED);
    assertThat(view.summary().standing().breakpoint().orElseThrow().nodes())
        .containsExactly("hold");
  }

  /// The tasks that have succeeded are not run again, and the failed one has the same key.
  @Test
  void resumesTheRunBeforeIfThatHasFailed() {
    var gate = new CountDownLatch(1);
    var broken = new AtomicBoolean(true);
    var beside = new AtomicInteger();
    var name = fresh("fails");
    NodeRunner held =
        call -> {
          gate.await();
          return broken.getAndSet(false) ? fails("broken") : says("held").run(call);
        };
    NodeRunner counts =
        call -> {
          beside.incrementAndGet();
          return new Outcome.Done(NodeResult.NOTHING);
        };
    on.graphs()
        .add(
            graph(name)
                .node("held", held)
                .node("beside", counts)
                .edge("__start__", "held")
                .edge("__start__", "beside"));
    threadOf = fresh("thread");
    var run = on.runs().start(post(name, threadOf, "one", IfBusy.REJECT)).run();
    var waiting = wait(threadOf, PENDING);

    gate.countDown();

    awaitSuccess(run);
    awaitGone(waiting.run());
    assertThat(beside).hasValue(1);
    assertThat(threadLog(threadOf)).containsExactly("one", "held");
  }

  @Test
  void goesOnFromWhereTheRunThatItEndsIsCommitted() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);

    var fork = goOn(threadOf, PENDING, NOTHING, IfBusy.INTERRUPT);
    gate.countDown();

    on.await(fork.run(), RunStatus.SUCCEEDED);
    on.await(run, RunStatus.CANCELLED);
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "b");
    assertThat(on.queries().tasks(fork.run(), TaskFilter.ALL, Page.Request.first(10)).items())
        .extracting(it -> it.key().node().value())
        .doesNotContain("a")
        .contains("b");
  }

  @Test
  void refusesABusyThreadAndOneWithoutAState() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);

    assertThat(refused(() -> goOn(threadOf, PENDING, NOTHING, IfBusy.REJECT)).code())
        .isEqualTo(ErrorCode.THREAD_BUSY);
    gate.countDown();
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(goOn(threadOf, PENDING, NOTHING, IfBusy.REJECT)).isEqualTo(Continued.nothing(run));
    on.runs().delete(run);
    assertThat(refused(() -> goOn(threadOf, PENDING, NOTHING, IfBusy.REJECT)).code())
        .isEqualTo(ErrorCode.THREAD_NOT_FOUND);
  }

  /// A call that cannot be carried out ends as failed, and the next has its turn.
  @Test
  void failsACallThatTheStateOfItsTurnDoesNotFit() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);
    var removes =
        wait(threadOf, new ThreadWork(Optional.empty(), Change.NONE, List.of("nowhere"), false));
    var next = on.runs().start(post(graphOf(run), threadOf, unheld(), IfBusy.ENQUEUE)).run();

    gate.countDown();

    on.await(next, RunStatus.SUCCEEDED);
    assertThat(on.queries().summary(removes.run()).standing().error().orElseThrow().error().code())
        .isEqualTo("invalid_value");
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "b", "two", "a", "b");
  }

  private String graphOf(String run) {
    return on.queries().summary(run).origin().graph();
  }

  private static ObjectValue unheld() {
    return ObjectValue.of("log", Value.of("two")).plus("hold", Value.of(false));
  }

  /// An input that replaces a value does so in what the run before has left.
  @Test
  void replacesWhatTheRunBeforeHasLeft() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);
    var input = ObjectValue.of("log", ListValue.texts("anew")).plus("hold", Value.of(false));
    var edit = new InputEdit(Set.of("log"), List.of());
    var start = post(graphOf(run), threadOf, input, IfBusy.ENQUEUE).with(edit);
    var next = on.runs().start(start).run();

    gate.countDown();

    on.await(next, RunStatus.SUCCEEDED);
    assertThat(on.status(run)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(threadLog(threadOf)).containsExactly("anew", "a", "b");
  }

  /// What is accepted is kept, although what it begins ends at once.
  @Test
  void keepsTheChangeOfACallThatIsInterruptedWhileItWaits() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);
    var changes = wait(threadOf, update(Change.update("log", Value.of("edit"))));
    var plain = wait(threadOf, PENDING);

    var last = on.runs().start(post(graphOf(run), threadOf, unheld(), IfBusy.INTERRUPT)).run();
    gate.countDown();

    on.await(last, RunStatus.SUCCEEDED);
    assertThat(on.status(changes.run())).isEqualTo(RunStatus.CANCELLED);
    assertThat(on.status(plain.run())).isEqualTo(RunStatus.CANCELLED);
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "edit", "two", "a", "b");
  }

  /// Both have their turn in one transaction, and what the first has written stays.
  @Test
  void failsACallBehindOneThatItInterruptsWhileThatWaits() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);
    var changes = wait(threadOf, update(Change.update("log", Value.of("edit"))));
    var nowhere = new ThreadWork(Optional.empty(), Change.NONE, List.of("nowhere"), false);
    var refused = goOn(threadOf, nowhere, NOTHING, IfBusy.INTERRUPT).run();

    gate.countDown();

    assertThat(errorOf(refused)).isEqualTo("invalid_value");
    assertThat(on.status(changes.run())).isEqualTo(RunStatus.CANCELLED);
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "edit");
  }

  /// The first has become nothing, and its row is gone.
  @Test
  void failsACallBehindOneForWhichThereIsNothingToDo() {
    var gate = new CountDownLatch(1);
    var run = begins(held(gate), StartRun.Options.DEFAULT);
    awaitCheckpoint(run, 1);
    var plain = wait(threadOf, PENDING);
    var nowhere = new ThreadWork(Optional.empty(), Change.NONE, List.of("nowhere"), false);
    var refused = wait(threadOf, nowhere).run();

    gate.countDown();

    assertThat(errorOf(refused)).isEqualTo("invalid_value");
    awaitGone(plain.run());
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "b");
    on.runs().start(post(graphOf(run), threadOf, unheld(), IfBusy.REJECT));
  }

  /// An answer that comes before its question waits for it.
  @Test
  void answersTheQuestionThatTheRunBeforeAsks() {
    var gate = new CountDownLatch(1);
    var run = asksLater(gate, InterruptRequest.of("why", Value.of("Well?")));
    var waiting = wait(threadOf, YES);

    gate.countDown();

    awaitSuccess(run);
    awaitGone(waiting.run());
    assertThat(threadLog(threadOf)).containsExactly("one", "held", "yes");
  }

  /// Of who has answered then no more is known than the id.
  @Test
  void takesNoAnswerOfWhomTheQuestionKeepsOutOrMayKeepOut() {
    var question = InterruptRequest.of("why", Value.of("Well?"));
    var cases =
        Map.of(
            question.by(MayAnswer.OTHER_THAN_STARTER), "starter",
            question.to(to("", "starter")), "starter",
            question.to(to("ann", "")), "bob",
            question.to(to("", "carl")), "bob");
    cases.forEach((asked, who) -> {
      var gate = new CountDownLatch(1);
      var run = TestCallers.as("starter", () -> asksLater(gate, asked));
      var waiting = TestCallers.as(who, () -> wait(threadOf, YES));

      gate.countDown();

      assertThat(errorOf(waiting.run())).as("%s by %s", asked, who).isEqualTo("forbidden");
      assertThat(on.queries().run(run).interrupts()).hasSize(1);
    });
  }

  @Test
  void takesTheWaitingAnswerOfTheAssignee() {
    var gate = new CountDownLatch(1);
    var asked = InterruptRequest.of("why", Value.of("Well?")).to(to("ann", "starter"));
    var run = TestCallers.as("starter", () -> asksLater(gate, asked));
    var waiting = TestCallers.as("ann", () -> wait(threadOf, YES));

    gate.countDown();

    awaitSuccess(run);
    awaitGone(waiting.run());
  }

  private static Addressees to(String assignee, String excluded) {
    return new Addressees(
        Optional.of(assignee).filter(it -> !it.isEmpty()),
        List.of(),
        Stream.of(excluded).filter(it -> !it.isEmpty()).toList());
  }

  /// Begins a run that asks when the gate is open.
  private String asksLater(CountDownLatch gate, InterruptRequest asked) {
    var name = fresh("asks-later");
    NodeRunner held =
        call -> {
          gate.await();
          return says("held").run(call);
        };
    on.graphs()
        .add(
            graph(name)
                .node("held", held)
                .node("ask", TestGraphs.asks(asked))
                .edge("__start__", "held")
                .edge("held", "ask"));
    threadOf = fresh("thread");
    return on.runs().start(post(name, threadOf, "one", IfBusy.REJECT)).run();
  }

  /// Limits, breakpoints and the change come before the answer, which does not fit.
  @Test
  void leavesNothingOfACallThatIsRefusedHalfway() {
    var gate = new CountDownLatch(1);
    var name = asksForANumber(gate);
    threadOf = fresh("thread");
    var run = on.runs().start(post(name, threadOf, "one", IfBusy.REJECT)).run();
    var work =
        new ThreadWork(
            Optional.of(Value.of("no number")),
            Change.update("log", Value.of("edit")),
            List.of(),
            false);
    var before = new SettingsChange(Optional.of(Set.of("ask")), Optional.empty());
    var given = new ThreadSettings(Optional.of(7), ObjectValue.empty(), before);
    var refused = goOn(threadOf, work, given, IfBusy.ENQUEUE).run();
    var limits = on.queries().summary(run).settings().limits();

    gate.countDown();

    assertThat(errorOf(refused)).isEqualTo("invalid_answer");
    var summary = on.await(run, RunStatus.INTERRUPTED).summary();
    assertThat(summary.settings().limits()).isEqualTo(limits);
    assertThat(hasBreakpoints(run)).isFalse();
    assertThat(summary.standing().checkpoint()).isEqualTo(2);
    assertThat(threadLog(threadOf)).containsExactly("one", "held");
    assertThat(on.queries().run(run).interrupts()).hasSize(1);
    on.runs().resume(answer(run, Value.of(5L)));
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(threadLog(threadOf)).containsExactly("one", "held");
  }

  private String asksForANumber(CountDownLatch gate) {
    var schema = ObjectValue.of("type", Value.of("integer"));
    var question =
        new InterruptRequest(
            "why", Value.of("How many?"), Change.NONE, Optional.of(schema), Optional.empty());
    NodeRunner held =
        call -> {
          gate.await();
          return says("held").run(call);
        };
    NodeRunner ask =
        call ->
            call.resume().isEmpty()
                ? new Outcome.Interrupted(question)
                : new Outcome.Done(NodeResult.NOTHING);
    var name = fresh("asks-a-number");
    on.graphs()
        .add(
            graph(name)
                .node("held", held)
                .node("ask", ask)
                .edge("__start__", "held")
                .edge("held", "ask"));
    return name;
  }

  private static ResumeRun answer(String run, Value value) {
    var one = new ResumeAnswer(Optional.empty(), value);
    return new ResumeRun(run, List.of(one), List.of(), Optional.empty(), Limits.NONE);
  }

  private boolean hasBreakpoints(String run) {
    return on.jdbc()
        .sql("select breakpoints is not null from run_input where run = ?")
        .param(run)
        .query(Boolean.class)
        .single();
  }

  private String errorOf(String waiting) {
    await().until(() -> on.status(waiting) == RunStatus.FAILED);
    return on.queries().summary(waiting).standing().error().orElseThrow().error().code();
  }

  /// A branch ends the run that stands, but not one that cannot begin.
  @Test
  void leavesTheRunThatStandsWhereABranchIsRefused() {
    var gate = new CountDownLatch(1);
    var breakpoints = new Breakpoints(Set.of("b"), Set.of());
    var run =
        begins(held(gate), new StartRun.Options(Limits.NONE, breakpoints, 0, Optional.empty()));
    awaitCheckpoint(run, 1);
    var nowhere = new SettingsChange(Optional.of(Set.of("nowhere")), Optional.empty());
    var given = new ThreadSettings(Optional.empty(), ObjectValue.empty(), nowhere);
    var older = Optional.of(new CheckpointRef(run, 1));
    var call = new ContinueThread(threadOf, older, PENDING, given, IfBusy.ENQUEUE);
    var refused = on.runs().goOn(call, CheckedAnswers.waited(""), _ -> {}).run();

    gate.countDown();

    assertThat(errorOf(refused)).isEqualTo("invalid_value");
    assertThat(on.status(run)).isEqualTo(RunStatus.INTERRUPTED);
    on.runs().resume(RunActions.resume(run));
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(threadLog(threadOf)).containsExactly("one", "a", "b");
  }
}
