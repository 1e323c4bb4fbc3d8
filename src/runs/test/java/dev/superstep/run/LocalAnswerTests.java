package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.onThread;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.StoredInterrupt.Status;
import dev.superstep.context.ContextEdit;
import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.ResumeRun.Onward;
import dev.superstep.run.store.ChildLimits;
import dev.superstep.schedule.Replica;
import dev.superstep.schedule.ScheduledRows;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

/// Runs that go on where their question is answered, without the queue (E34, E35).
@RunTest
class LocalAnswerTests {
  private static final InterruptRequest QUESTION = InterruptRequest.of("ask", Value.of("sure?"));
  private static final Value YES = Value.of("yes");

  @Autowired private RunActions on;
  @Autowired private Replica replica;
  @Autowired private ChildRuns childRuns;
  @Autowired private TransactionOperations transaction;

  private String twoQuestions(InterruptRequest first) {
    var name = fresh("asks");
    on.graphs()
        .add(
            graph(name)
                .node("a", asks(first))
                .node("b", asks(QUESTION))
                .edge("__start__", "a")
                .edge("a", "b"));
    return name;
  }

  private RunView asked(StartRun request) throws InterruptedException {
    var started = await().until(() -> on.runs().start(request), it -> it.progress().isPresent());
    return started.progress().orElseThrow().await(RunActions.LONG).orElseThrow();
  }

  private static String question(RunView asks) {
    return asks.interrupts().getFirst().id();
  }

  private RunView answered(RunView asks) throws InterruptedException {
    var progress = on.runs().answer(question(asks), YES).progress().orElseThrow();
    assertThat(progress.initial().summary().status()).isEqualTo(RunStatus.RUNNING);
    assertThat(progress.initial().interrupts()).isEmpty();
    return progress.await(RunActions.LONG).orElseThrow();
  }

  private void assertStored(RunView shown, RunStatus status) {
    assertThat(shown.summary().status()).isEqualTo(status);
    assertThat(shown).isEqualTo(on.queries().run(shown.summary().id()));
  }

  private long wakeUps(RunView run) {
    return new ScheduledRows(on.jdbc()).wakeUps(run.summary().id());
  }

  /// What the clients see from memory is what the database has.
  @Test
  void showsARunThatAsksAndIsAnsweredAsItIsStored() throws Exception {
    var first = asked(request(twoQuestions(QUESTION)));
    assertStored(first, RunStatus.INTERRUPTED);

    var second = answered(first);
    assertStored(second, RunStatus.INTERRUPTED);
    var last = answered(second);

    assertStored(last, RunStatus.SUCCEEDED);
    var run = last.summary().id();
    assertThat(on.log(run)).containsExactly("yes", "yes");
    assertThat(wakeUps(last)).isZero();
    assertThat(on.queries().interrupt(question(first)).status()).isEqualTo(Status.ANSWERED);
    assertThat(on.events(run))
        .containsExactly(
            "run.created",
            "run.started",
            "task.interrupted",
            "run.interrupted",
            "run.resumed",
            "superstep.committed",
            "task.interrupted",
            "run.interrupted",
            "run.resumed",
            "superstep.committed",
            "run.succeeded");
  }

  /// E37: its timer goes with it.
  @Test
  void removesTheTimerOfAQuestionThatIsAnswered() throws Exception {
    var expires =
        new InterruptRequest(
            "ask",
            Value.NULL,
            Change.NONE,
            Optional.empty(),
            Optional.of(
                new InterruptRequest.Expiry(Duration.ofHours(1), Optional.of(Value.of("no")))));
    var first = asked(request(twoQuestions(expires)));
    assertStored(first, RunStatus.INTERRUPTED);
    assertThat(wakeUps(first)).isEqualTo(1);

    var second = answered(first);

    assertStored(second, RunStatus.INTERRUPTED);
    assertThat(wakeUps(second)).isZero();
  }

  @Test
  void goesOnInItsThread() throws Exception {
    var thread = fresh("thread");
    var first = asked(onThread(request(twoQuestions(QUESTION)), thread));

    var last = answered(answered(first));

    assertStored(last, RunStatus.SUCCEEDED);
    assertThat(last.summary().origin().thread()).contains(thread);
  }

  /// E34: the question needs no name.
  @Test
  void goesOnWithAResumeThatIsAnAnswer() throws Exception {
    var first = asked(request(twoQuestions(QUESTION)));
    var run = first.summary().id();
    long seq = on.queries().lastEvent(run);

    var resumed = on.runs().resume(answers(run, Optional.empty()));

    assertThat(resumed.after()).isEqualTo(seq);
    var second = resumed.progress().orElseThrow().await(RunActions.LONG).orElseThrow();
    assertStored(second, RunStatus.INTERRUPTED);
    assertThat(on.queries().events(run, seq, Set.of(), 10).getFirst().event().type())
        .isEqualTo("run.resumed");
    var named = on.runs().resume(answers(run, Optional.of(question(second))));
    assertStored(
        named.progress().orElseThrow().await(RunActions.LONG).orElseThrow(), RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("yes", "yes");
  }

  /// A resume may do more for a run that is not as this process has left it.
  @Test
  void resumesByTheDatabaseWhatHasChanged() throws Exception {
    var first = asked(request(twoQuestions(QUESTION)));
    var run = first.summary().id();
    on.runs().resume(stays(run, Optional.of(Change.update("log", Value.of("edit"))), Limits.NONE));

    assertThat(on.runs().resume(answers(run, Optional.empty())).progress()).isEmpty();

    on.await(run, RunStatus.INTERRUPTED);
    assertThat(refused(() -> on.runs().resume(answers(run, Optional.of(question(first))))).code())
        .isEqualTo(ErrorCode.INTERRUPT_CLOSED);
    on.runs().resume(answers(run, Optional.empty()));
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("edit", "yes", "yes");
  }

  private static ResumeRun answers(String run, Optional<String> interrupt) {
    return new ResumeRun(
        run,
        List.of(new ResumeRun.ResumeAnswer(interrupt, YES)),
        List.of(),
        Optional.empty(),
        Limits.NONE);
  }

  /// E42: what this process keeps of a run is not what the run is any more.
  @Test
  void goesOnFromAnEditOfTheState() throws Exception {
    var first = asked(request(twoQuestions(QUESTION)));
    var run = first.summary().id();
    var edit = Change.update("log", Value.of("edit"));
    on.runs().resume(stays(run, Optional.of(edit), Limits.NONE));

    var answered = on.runs().answer(question(first), YES);

    assertThat(answered.progress()).isEmpty();
    await().atMost(RunActions.LONG).until(() -> !on.queries().run(run).interrupts().isEmpty());
    on.runs().answer(question(on.queries().run(run)), YES);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("edit", "yes", "yes");
  }

  @Test
  void showsTheLimitsThatWereSetWhileItStood() throws Exception {
    var first = asked(request(twoQuestions(QUESTION)));
    var run = first.summary().id();
    var limits = ChildLimits.timeout(Duration.ofMinutes(17));
    on.runs().resume(stays(run, Optional.empty(), limits));

    var answered = on.runs().answer(question(first), YES);

    assertThat(answered.progress()).isEmpty();
    assertThat(on.queries().run(run).summary().settings().limits().timeout())
        .contains(Duration.ofMinutes(17));
  }

  private static ResumeRun stays(String run, Optional<Change> change, Limits limits) {
    return new ResumeRun(
        run,
        List.of(),
        List.of(),
        change,
        limits,
        ContextEdit.NONE,
        new Onward(List.of(), false),
        SettingsChange.NONE);
  }

  @Test
  void changesNothingIfItsTransactionRollsBack() throws Exception {
    var first = asked(request(twoQuestions(QUESTION)));

    transaction.executeWithoutResult(status -> {
      assertThat(on.runs().answer(question(first), YES).run()).isEqualTo(first.summary().id());
      status.setRollbackOnly();
    });

    assertStored(first, RunStatus.INTERRUPTED);
    on.runs().answer(question(first), YES);
    var second = on.await(first.summary().id(), RunStatus.INTERRUPTED);
    assertThat(second.interrupts()).hasSize(1).isNotEqualTo(first.interrupts());
  }

  @Test
  void queuesTheRunWhereNothingMayBegin() throws Exception {
    var first = asked(request(twoQuestions(QUESTION)));
    var run = first.summary().id();
    replica.pauseClaims();
    try {
      assertThat(on.runs().answer(question(first), YES).progress()).isEmpty();
      assertThat(on.status(run)).isEqualTo(RunStatus.QUEUED);
      assertThat(wakeUps(first)).isEqualTo(1);
    } finally {
      replica.resumeClaims();
    }
    on.await(run, RunStatus.INTERRUPTED);
  }

  @Test
  void refusesASecondAnswer() throws Exception {
    var first = asked(request(twoQuestions(QUESTION)));
    answered(first);

    assertThat(refused(() -> on.runs().answer(question(first), YES)).code())
        .isEqualTo(ErrorCode.INTERRUPT_CLOSED);
  }

  /// Only what it asks is answered: the rest waits for a resume (E34).
  @Test
  void shownFromTheDatabaseIfMoreThanOneQuestionIsOpen() {
    var name = fresh("asks");
    on.graphs()
        .add(
            graph(name)
                .node("a", asks(QUESTION))
                .node("b", asks(QUESTION))
                .node("c", says("c"))
                .edge("__start__", "a", "b")
                .join(List.of("a", "b"), "c"));
    var run = on.start(name);
    var open = on.await(run, RunStatus.INTERRUPTED).interrupts();

    on.runs().answer(open.getFirst().id(), YES);

    assertThat(on.await(run, RunStatus.INTERRUPTED).interrupts()).containsExactly(open.getLast());
    on.runs().answer(open.getLast().id(), YES);
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("yes", "yes", "c");
  }

  /// E33, C31: a run whose child can go on is not interrupted any more.
  @Test
  void wakesTheParentOfARunThatIsAnswered() {
    var child = fresh("asks");
    var gate = new CountDownLatch(1);
    on.graphs()
        .add(
            graph(child)
                .node(
                    "a",
                    call -> {
                      if (call.resume().isPresent()) {
                        gate.await();
                      }
                      return asks(QUESTION).run(call);
                    })
                .edge("__start__", "a"));
    var request = new ChildRequest(child, Optional.empty(), ObjectValue.empty());
    var name = fresh("parent");
    on.graphs()
        .add(
            graph(name)
                .node(
                    "call",
                    call ->
                        call.childEnd().isPresent()
                            ? TestGraphs.log("over")
                            : new Outcome.Child(childRuns.prepare(call, request).orElseThrow()))
                .edge("__start__", "call"));
    var run = on.start(name);
    var open = on.await(run, RunStatus.INTERRUPTED).interrupts();

    on.runs().answer(open.getFirst().id(), YES);

    await().atMost(RunActions.LONG).until(() -> on.status(run) == RunStatus.RUNNING);
    gate.countDown();
    on.await(run, RunStatus.SUCCEEDED);
  }
}
