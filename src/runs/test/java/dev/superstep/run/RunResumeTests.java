package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.RunActions.resume;
import static dev.superstep.run.RunActions.with;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.fails;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.context.ContextEdit;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.run.ResumeRun.Onward;
import dev.superstep.run.drive.ParentNotifier;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.transaction.support.TransactionOperations;

@RunTest
class RunResumeTests {
  private static final InterruptRequest QUESTION =
      InterruptRequest.of("need_approval", Value.of("publish?"));

  @Autowired private RunActions on;
  @Autowired private ParentNotifier parentNotifier;
  @Autowired private EntityManagerFactory entities;
  @Autowired private TransactionOperations transaction;

  private String graphOf(TestGraphs.Builder builder, String name) {
    on.graphs().add(builder);
    return name;
  }

  private String asking(NodeRunner... nodes) {
    var name = fresh("asking");
    var builder = graph(name);
    for (int i = 0; i < nodes.length; i++) {
      builder.node("n" + i, nodes[i]).edge("__start__", "n" + i);
    }
    return graphOf(builder, name);
  }

  /// K16, E35, E36
  @Test
  void stopsForAQuestionAndGoesOnWithItsAnswer() {
    var run = on.start(asking(asks(QUESTION)));
    var stopped = on.await(run, RunStatus.INTERRUPTED);

    assertThat(stopped.interrupts()).hasSize(1);
    var interrupt = stopped.interrupts().getFirst();
    assertThat(interrupt.question().reason()).isEqualTo("need_approval");
    on.runs().answer(interrupt.id(), ObjectValue.of("approved", Value.TRUE));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("{\"approved\":true}");
    assertThat(on.queries().interrupt(interrupt.id()).status())
        .isEqualTo(StoredInterrupt.Status.ANSWERED);
  }

  /// Whether it is open and has not expired is decided by the update, under the lock.
  @Test
  void readsNoInterruptUnderTheLockToCommitAValidAnswer() {
    var run = on.start(asking(asks(QUESTION)));
    var interrupt = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst().id();
    var checked = on.runs().check(interrupt, Value.TRUE);
    var statistics = entities.unwrap(SessionFactory.class).getStatistics();
    statistics.setStatisticsEnabled(true);

    long reads =
        transaction.execute(_ -> {
          statistics.clear();
          var _ = on.runs().answer(interrupt, Value.TRUE, checked);
          return statistics
              .getEntityStatistics("dev.superstep.checkpoint.row.InterruptEntity")
              .getLoadCount();
        });

    assertThat(reads).isZero();
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(refused(() -> on.runs().answer(interrupt, Value.FALSE, checked)).code())
        .isEqualTo(ErrorCode.INTERRUPT_CLOSED);
  }

  /// E35: null is an answer.
  @Test
  void takesNullForAnAnswer() {
    var run = on.start(asking(asks(QUESTION)));
    on.await(run, RunStatus.INTERRUPTED);

    on.runs().resume(answers(run, new ResumeRun.ResumeAnswer(Optional.empty(), Value.NULL)));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.queries().state(run, Optional.empty()).state().get("log"))
        .isEqualTo(ListValue.of(Value.NULL));
  }

  /// E35
  @Test
  void wantsToKnowWhichOfSeveralQuestionsAnAnswerIsFor() {
    var run = on.start(asking(asks(QUESTION), asks(QUESTION)));
    var open = on.await(run, RunStatus.INTERRUPTED).interrupts();
    var unnamed = new ResumeRun.ResumeAnswer(Optional.empty(), Value.TRUE);

    var refusal = refused(() -> on.runs().resume(answers(run, unnamed)));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INTERRUPT_AMBIGUOUS);
    assertThat(refusal.members().get("interrupts"))
        .asInstanceOf(InstanceOfAssertFactories.LIST)
        .containsExactlyInAnyOrderElementsOf(open.stream().map(StoredInterrupt::id).toList());
  }

  /// E35, E34: the first answer neither finishes the superstep nor is it lost.
  @Test
  void releasesOnlyTheTaskThatIsAnswered() {
    var calls = new AtomicInteger();
    var run =
        on.start(
            asking(
                asks(QUESTION),
                call -> {
                  calls.incrementAndGet();
                  return asks(QUESTION).run(call);
                }));
    var open = on.await(run, RunStatus.INTERRUPTED).interrupts();
    on.runs().answer(open.getFirst().id(), Value.of("first"));
    on.await(run, RunStatus.INTERRUPTED);
    assertThat(calls).hasValue(1);

    on.runs().answer(open.getLast().id(), Value.of("second"));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("first", "second");
    assertThat(calls).hasValue(2);
  }

  /// E35
  @Test
  void refusesASecondAnswer() {
    var run = on.start(asking(asks(QUESTION), asks(QUESTION)));
    var first = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst();
    on.runs().answer(first.id(), Value.TRUE);

    assertThat(refused(() -> on.runs().answer(first.id(), Value.TRUE)).code())
        .isEqualTo(ErrorCode.INTERRUPT_CLOSED);
  }

  /// E37
  @Test
  void refusesAnAnswerThatDoesNotFitItsSchema() {
    var schema =
        ObjectValue.of("type", Value.of("object")).plus("required", ListValue.texts("approved"));
    var question =
        new InterruptRequest(
            "need_approval", Value.NULL, Change.NONE, Optional.of(schema), Optional.empty());
    var run = on.start(asking(asks(question)));
    var interrupt = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst();

    var refusal = refused(() -> on.runs().answer(interrupt.id(), ObjectValue.empty()));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ANSWER);
    assertThat(refusal.errors())
        .extracting(FieldError::pointer)
        .allMatch(it -> it.startsWith("/value"));
    assertThat(on.queries().interrupt(interrupt.id()).status())
        .isEqualTo(StoredInterrupt.Status.OPEN);
  }

  @Test
  void listsTheOpenQuestionsWhenThereIsNothingElseToResume() {
    var run = on.start(asking(asks(QUESTION)));
    var interrupt = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst();

    var refusal = refused(() -> on.runs().resume(resume(run)));

    assertThat(refusal.code()).isEqualTo(ErrorCode.NOTHING_TO_RESUME);
    assertThat(refusal.members()).isEqualTo(Map.of("interrupts", List.of(interrupt.id())));
  }

  /// K9, E34, E39: the task that was done is not run again.
  @Test
  void repeatsOnlyWhatFailed() {
    var good = new AtomicInteger();
    var bad = new AtomicInteger();
    var run =
        on.start(
            asking(
                _ -> log("good" + good.incrementAndGet()),
                _ -> bad.incrementAndGet() == 1 ? fails("broken") : log("bad")));
    var failed = on.await(run, RunStatus.FAILED);
    assertThat(failed.failedTasks()).extracting(TaskView::id).containsExactly("1:n1");
    assertThat(failed.summary().standing().error().orElseThrow().error().code())
        .isEqualTo("broken");

    on.runs().resume(resume(run));

    var view = on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("good1", "bad");
    assertThat(view.summary().standing().error()).isEmpty();
    assertThat(on.events(run)).contains("run.failed", "run.resumed", "run.succeeded");
  }

  /// E34
  @Test
  void countsAResolvedTaskAsDoneWithTheChangeThatWasGiven() {
    var run = on.start(asking(says("a"), _ -> fails("broken")));
    on.await(run, RunStatus.FAILED);
    var change = Change.update("log", Value.of("by hand"));
    var resolution = new ResumeRun.Resolution("1:n1", Optional.of(change));

    on.runs()
        .resume(new ResumeRun(run, List.of(), List.of(resolution), Optional.empty(), Limits.NONE));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("a", "by hand");
  }

  /// E34: a change that cannot be folded is not the last word.
  @Test
  void takesAnotherChangeForATaskThatWasResolvedWrongly() {
    var run = on.start(asking(_ -> fails("broken")));
    on.await(run, RunStatus.FAILED);
    resolve(run, Change.update("sum", Value.of("no number")));
    var stillFailed = on.await(run, RunStatus.FAILED);
    assertThat(stillFailed.summary().standing().error().orElseThrow().error().code())
        .isEqualTo("reducer_failed");

    resolve(run, Change.update("sum", Value.of(3)));

    on.await(run, RunStatus.SUCCEEDED);
  }

  private void resolve(String run, Change change) {
    var resolution = new ResumeRun.Resolution("1:n0", Optional.of(change));
    on.runs()
        .resume(new ResumeRun(run, List.of(), List.of(resolution), Optional.empty(), Limits.NONE));
  }

  @Test
  void refusesToResolveATaskThatHasNotFailed() {
    var run = on.start(asking(says("a"), _ -> fails("broken")));
    on.await(run, RunStatus.FAILED);
    var resolution = new ResumeRun.Resolution("1:n0", Optional.empty());
    var request = new ResumeRun(run, List.of(), List.of(resolution), Optional.empty(), Limits.NONE);

    assertThat(refused(() -> on.runs().resume(request)).code()).isEqualTo(ErrorCode.TASK_NOT_FOUND);
    assertThat(on.status(run)).isEqualTo(RunStatus.FAILED);
  }

  /// K13, E14, E39
  @Test
  void goesOnAfterTooManySuperstepsOnlyWithAHigherLimit() {
    var name = fresh("loop");
    var calls = new AtomicInteger();
    on.graphs()
        .add(
            graph(name)
                .node("a", _ -> calls.incrementAndGet() < 8 ? log("a") : ends("last"))
                .edge("__start__", "a")
                .edge("a", "a"));
    var run = on.runs().start(with(request(name), supersteps(5))).run();
    var failed = on.await(run, RunStatus.FAILED);
    assertThat(failed.summary().standing().error().orElseThrow().error().code())
        .isEqualTo("max_supersteps_exceeded");

    assertThat(refused(() -> on.runs().resume(resume(run))).code())
        .isEqualTo(ErrorCode.RUN_NOT_RESUMABLE);
    on.runs().resume(new ResumeRun(run, List.of(), List.of(), Optional.empty(), limit(8)));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).hasSize(8);
  }

  /// K7, E39
  @Test
  void doesNotResumeAStalledJoin() {
    var name = fresh("stalled");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", says("b"))
                .node("c", says("c"))
                .edge("__start__", "a")
                .edge("b", "a")
                .join(List.of("a", "b"), "c"));
    var run = on.start(name);
    on.await(run, RunStatus.FAILED);

    assertThat(refused(() -> on.runs().resume(resume(run))).code())
        .isEqualTo(ErrorCode.RUN_NOT_RESUMABLE);
  }

  /// What ended with the graph's own error is over, whatever the run is edited to; a fork of an
  /// earlier checkpoint is not.
  @Test
  void doesNotResumeWhatItsGraphHasFailed() {
    var name = fresh("ended");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node(
                    "end",
                    _ ->
                        new Outcome.Done(
                            NodeResult.failingRun(TaskError.permanent("sold_out", "No seats"))))
                .edge("__start__", "a")
                .edge("a", "end"));
    var run = on.start(name);
    on.await(run, RunStatus.FAILED);

    assertThat(refused(() -> on.runs().resume(resume(run))).getMessage())
        .contains("sold_out", "fork it from an earlier checkpoint");
    assertThat(refused(() -> on.runs().resume(resume(run))).code())
        .isEqualTo(ErrorCode.RUN_NOT_RESUMABLE);
  }

  /// E38
  @Test
  void passesABreakpointOnceItIsResumed() {
    var name = fresh("breakpoint");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "b"));
    var breakpoints = new Breakpoints(Set.of("b"), Set.of());
    var options = new StartRun.Options(Limits.NONE, breakpoints, 0, Optional.empty());
    var run = on.runs().start(with(request(name), options)).run();
    var stopped = on.await(run, RunStatus.INTERRUPTED);
    assertThat(stopped.summary().standing().breakpoint().orElseThrow().nodes())
        .containsExactly("b");

    on.runs().resume(resume(run));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("a", "b");
  }

  /// E41, E38: nobody but a person gets a run past a breakpoint.
  @Test
  void staysAtItsBreakpointWhenAChildTellsItsEndLate() {
    var name = fresh("late");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "b"));
    var child = on.start(name);
    on.await(child, RunStatus.SUCCEEDED);
    var breakpoints = new Breakpoints(Set.of(), Set.of("a"));
    var options = new StartRun.Options(Limits.NONE, breakpoints, 0, Optional.empty());
    var run = on.runs().start(with(request(name), options)).run();
    on.await(run, RunStatus.INTERRUPTED);
    on.jdbc()
        .sql(
            """
            insert into child_run (child, parent, root, depth, superstep, node, number, wakes_below)
            values (:child, :run, :run, 1, 1, 'a', 1, 0)
            """)
        .param("child", child)
        .param("run", run)
        .update();

    parentNotifier.notify(child);

    on.await(run, RunStatus.INTERRUPTED);
    assertThat(on.log(run)).containsExactly("a");
  }

  /// E42, E40: the task that runs again sees the edited state.
  @Test
  void editsTheStateBeforeFailedTasksRunAgain() {
    var seen = new java.util.concurrent.CopyOnWriteArrayList<String>();
    var run =
        on.start(
            asking(call -> {
              seen.add(call.idempotencyKey());
              return call.state().get("flag") == null ? fails("unset") : log("set");
            }));
    on.await(run, RunStatus.FAILED);
    var change = Change.update("flag", Value.TRUE);

    on.runs().resume(new ResumeRun(run, List.of(), List.of(), Optional.of(change), Limits.NONE));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("set");
    assertThat(seen).hasSize(2).doesNotHaveDuplicates();
    assertThat(on.queries().tasks(run, TaskFilter.ALL, Page.Request.first(10)).items())
        .extracting(it -> it.calls().idempotencyKey())
        .containsExactly(seen.getLast());
  }

  private static dev.superstep.engine.node.Outcome ends(String word) {
    var result =
        new dev.superstep.engine.run.NodeResult(
            Change.update("log", Value.of(word)),
            List.of(),
            List.of(),
            ObjectValue.empty(),
            null,
            null);
    return new dev.superstep.engine.node.Outcome.Done(result);
  }

  private String paused() {
    var name = fresh("paused");
    on.graphs()
        .add(
            graph(name)
                .node("before", says("before"))
                .node("ask", asks(QUESTION))
                .node("after", says("after"))
                .edge("__start__", "before")
                .edge("before", "ask")
                .edge("ask", "after"));
    return name;
  }

  private static ResumeRun onward(String run, Optional<Change> change, Onward onward) {
    return new ResumeRun(
        run,
        List.of(),
        List.of(),
        change,
        Limits.NONE,
        ContextEdit.NONE,
        onward,
        SettingsChange.NONE);
  }

  /// E42: an edit alone; the answer is still wanted.
  @Test
  void editsAPausedRunWithoutGoingOn() {
    var run = on.start(paused());
    on.await(run, RunStatus.INTERRUPTED);
    var stays = new Onward(List.of("after"), false);

    on.runs().resume(onward(run, Optional.of(Change.update("log", Value.of("edited"))), stays));

    var view = on.await(run, RunStatus.INTERRUPTED);
    assertThat(view.interrupts()).hasSize(1);
    assertThat(on.log(run)).containsExactly("before", "edited");
    assertThat(
            on.queries().checkpoint(run, view.summary().standing().checkpoint()).pending().stream()
                .map(it -> it.node().value()))
        .containsExactly("ask", "after");
    on.runs().answer(view.interrupts().getFirst().id(), Value.of("yes"));
    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("before", "edited", "yes", "after", "after");
  }

  @Test
  void saysThatARunAtABreakpointAsksNothing() {
    var breakpoints = new Breakpoints(Set.of("after"), Set.of());
    var options = new StartRun.Options(Limits.NONE, breakpoints, 0, Optional.empty());
    var name = fresh("stops");
    on.graphs().add(graph(name).node("after", says("after")).edge("__start__", "after"));
    var run = on.runs().start(with(request(name), options)).run();
    on.await(run, RunStatus.INTERRUPTED);
    var answer = new ResumeRun.ResumeAnswer(Optional.empty(), Value.of("yes"));

    var refusal =
        refused(() ->
            on.runs()
                .resume(
                    new ResumeRun(run, List.of(answer), List.of(), Optional.empty(), Limits.NONE)));

    assertThat(refusal.code()).isEqualTo(ErrorCode.INTERRUPT_CLOSED);
    assertThat(refusal.detail())
        .isEqualTo(
            "the run asks nothing: it stands at the breakpoint before after; resume it without"
                + " answers");
    assertThat(on.status(run)).isEqualTo(RunStatus.INTERRUPTED);
  }

  /// E42
  @Test
  void activatesMoreNodesWithGoto() {
    var name = fresh("goto");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", says("b"))
                .node("c", says("c"))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("c", "__end__"));
    var breakpoints = new Breakpoints(Set.of("b"), Set.of());
    var options = new StartRun.Options(Limits.NONE, breakpoints, 0, Optional.empty());
    var run = on.runs().start(with(request(name), options)).run();
    on.await(run, RunStatus.INTERRUPTED);

    var unknown = onward(run, Optional.empty(), new Onward(List.of("b", "nowhere"), true));
    assertThat(refused(() -> on.runs().resume(unknown)).errors())
        .extracting(FieldError::pointer)
        .containsExactly("/goto/1");
    on.runs().resume(onward(run, Optional.empty(), new Onward(List.of("c", "b"), true)));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("a", "b", "c");
  }

  @Test
  void refusesAnEditThatWouldHaveTheRunGoOn() {
    var run = on.start(paused());
    on.await(run, RunStatus.INTERRUPTED);
    var stays = new Onward(List.of(), false);
    var answer = new ResumeRun.ResumeAnswer(Optional.empty(), Value.of("yes"));
    var answering =
        new ResumeRun(
            run,
            List.of(answer),
            List.of(),
            Optional.empty(),
            Limits.NONE,
            ContextEdit.NONE,
            stays,
            SettingsChange.NONE);

    assertThat(refused(() -> on.runs().resume(answering)).code())
        .isEqualTo(ErrorCode.INVALID_VALUE);
    assertThat(refused(() -> on.runs().resume(onward(run, Optional.empty(), stays))).code())
        .isEqualTo(ErrorCode.NOTHING_TO_RESUME);
  }

  private static ResumeRun answers(String run, ResumeRun.ResumeAnswer... answers) {
    return new ResumeRun(run, List.of(answers), List.of(), Optional.empty(), Limits.NONE);
  }

  private static Limits limit(int supersteps) {
    return new Limits(
        Optional.of(supersteps),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private static StartRun.Options supersteps(int max) {
    return new StartRun.Options(limit(max), Breakpoints.NONE, 0, Optional.empty());
  }
}
