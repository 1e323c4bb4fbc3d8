package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.request;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

@RunTest
class RunEndTests {
  private static final InterruptRequest QUESTION = InterruptRequest.of("ask", Value.NULL);

  @Autowired private RunActions on;

  private String asking() {
    var name = fresh("asking");
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

  @Test
  void cancelsARunThatNobodyDrivesAtOnce() {
    var run = on.start(asking());
    var interrupt = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst();

    on.runs().cancel(run);
    on.runs().cancel(run);

    assertThat(on.status(run)).isEqualTo(RunStatus.CANCELLED);
    assertThat(on.events(run)).endsWith("run.cancelled").doesNotHaveDuplicates();
    assertThat(on.queries().interrupt(interrupt.id()).status())
        .isEqualTo(StoredInterrupt.Status.CANCELLED);
    assertThat(refused(() -> on.runs().answer(interrupt.id(), Value.TRUE)).code())
        .isEqualTo(ErrorCode.INTERRUPT_CLOSED);
  }

  @Test
  void interruptsTheNodeCallsOfARunThatIsCancelled() {
    var name = fresh("blocked");
    var started = new CountDownLatch(1);
    var interrupted = new AtomicBoolean();
    on.graphs()
        .add(
            graph(name)
                .node(
                    "a",
                    _ -> {
                      started.countDown();
                      try {
                        new CountDownLatch(1).await();
                      } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                      }
                      return log("never");
                    })
                .node("b", says("b"))
                .edge("__start__", "a", "b"));
    var run = on.start(name);
    await().until(() -> started.getCount() == 0);

    on.runs().cancel(run);

    on.await(run, RunStatus.CANCELLED);
    await().untilTrue(interrupted);
    assertThat(on.log(run)).isEmpty();
    assertThat(on.events(run)).endsWith("run.cancelled");
  }

  /// I6
  @Test
  void doesNotCancelARunThatHasSucceeded() {
    var name = fresh("done");
    on.graphs().add(graph(name).node("a", says("a")).edge("__start__", "a"));
    var run = on.start(name);
    on.await(run, RunStatus.SUCCEEDED);

    assertThat(refused(() -> on.runs().cancel(run)).code()).isEqualTo(ErrorCode.RUN_ENDED);
  }

  @Test
  void erasesARunOnceItIsNotActive() {
    var run = on.start(asking());
    var interrupt = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst();
    assertThat(refused(() -> on.runs().delete(run)).code()).isEqualTo(ErrorCode.RUN_ACTIVE);
    on.runs().cancel(run);

    on.runs().delete(run);

    assertThat(refused(() -> on.queries().run(run)).code()).isEqualTo(ErrorCode.RUN_NOT_FOUND);
    assertThat(refused(() -> on.queries().interrupt(interrupt.id())).code())
        .isEqualTo(ErrorCode.INTERRUPT_NOT_FOUND);
    assertThat(
            on.jdbc()
                .sql("select count(*) from checkpoint where run = ?")
                .param(run)
                .query(Long.class)
                .single())
        .isZero();
  }

  /// E48, E42: the source is untouched, the held question is not taken.
  @Test
  void forksARunFromAnEarlierCheckpoint() {
    var source = on.start(asking());
    on.await(source, RunStatus.INTERRUPTED);
    var change = Change.update("log", Value.of("edited"));

    var fork = on.runs().fork(TestFork.of(source, 1).change(change).asNode("ask").request());

    var view = on.await(fork, RunStatus.SUCCEEDED);
    assertThat(on.log(fork)).containsExactly("before", "edited", "after");
    assertThat(view.summary().origin().parent())
        .contains(new RunSummary.Parent(source, 1, Optional.empty()));
    assertThat(on.status(source)).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(on.log(source)).containsExactly("before");
  }

  /// E48
  @Test
  void savesARunWithAVersionThatHasAllItsPendingNodes() {
    var name = asking();
    var source = on.start(name);
    on.await(source, RunStatus.INTERRUPTED);
    on.graphs().add(graph(name).node("ask", says("fixed")));
    on.graphs().add(graph(name).node("other", says("other")));

    var missing = TestFork.of(source, 1).version(3).request();
    assertThat(refused(() -> on.runs().fork(missing)).code()).isEqualTo(ErrorCode.INVALID_VALUE);
    var fork = on.runs().fork(TestFork.of(source, 1).version(2).request());

    on.await(fork, RunStatus.SUCCEEDED);
    assertThat(on.log(fork)).containsExactly("before", "fixed");
  }

  /// E47: nothing runs, `__end__` is all that is pending.
  @Test
  void endsAForkWhosePendingNodesWereCleared() {
    var source = on.start(asking());
    on.await(source, RunStatus.INTERRUPTED);

    var fork = on.runs().fork(TestFork.of(source, 1).asNode("__end__").request());

    on.await(fork, RunStatus.SUCCEEDED);
    assertThat(on.log(fork)).containsExactly("before");
  }

  private String joining() {
    var name = fresh("joining");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", says("b"))
                .node("c", says("c"))
                .node("d", says("d"))
                .edge("__start__", "a", "b")
                .join(List.of("a", "b"), "c")
                .edge("c", "d"));
    return name;
  }

  private static TestFork as(String source, int checkpoint, String node) {
    return TestFork.of(source, checkpoint)
        .change(Change.update("log", Value.of("edited")))
        .asNode(node);
  }

  /// E42: what has arrived with the member arrives again.
  @Test
  void firesAJoinAnewForAMemberThatHadArrived() {
    var source = on.start(joining());
    on.await(source, RunStatus.SUCCEEDED);

    var atOnce = on.runs().fork(as(source, 1, "b").request());
    var later = on.runs().fork(as(source, 2, "b").request());
    on.await(atOnce, RunStatus.SUCCEEDED);
    on.await(later, RunStatus.SUCCEEDED);
    var ofAFork = on.runs().fork(as(later, 1, "a").request());

    assertThat(on.log(atOnce)).containsExactly("a", "b", "edited", "c", "d");
    assertThat(on.log(later)).containsExactly("a", "b", "c", "edited", "c", "d");
    on.await(ofAFork, RunStatus.SUCCEEDED);
    assertThat(on.log(ofAFork)).containsExactly("a", "b", "c", "edited", "c", "edited", "c", "d");
  }

  /// E42
  @Test
  void beginsAnewWithTheEditedState() {
    var source = on.start(joining());
    on.await(source, RunStatus.SUCCEEDED);

    var fork = on.runs().fork(as(source, 2, "__start__").request());

    on.await(fork, RunStatus.SUCCEEDED);
    assertThat(on.log(fork)).containsExactly("a", "b", "c", "edited", "a", "b", "c", "d");
  }

  /// C33
  @Test
  void makesAForkTheHeadOfAThread() {
    var thread = fresh("thread");
    var name = joining();
    var first = on.runs().start(RunActions.onThread(request(name), thread)).run();
    on.await(first, RunStatus.SUCCEEDED);

    var fork = on.runs().fork(as(first, 1, "b").onThread(thread, IfBusy.REJECT).request());
    var badId = as(first, 1, "b").onThread("-", IfBusy.REJECT).request();
    assertThat(refused(() -> on.runs().fork(badId)).code()).isEqualTo(ErrorCode.INVALID_VALUE);
    on.await(fork, RunStatus.SUCCEEDED);

    assertThat(on.threads().thread(thread).head()).contains(new CheckpointRef(fork, 2));
    var next = on.runs().start(RunActions.onThread(request(name), thread)).run();
    on.await(next, RunStatus.SUCCEEDED);
    assertThat(on.log(next)).containsExactly("a", "b", "edited", "c", "d", "a", "b", "c", "d");
  }

  /// Generated ids derive from ordinals: a fork that joins a younger thread must not repeat them.
  @Test
  void givesAForkAnOrdinalAboveThatOfItsSource() {
    var old = fresh("thread");
    var name = joining();
    String last = "";
    for (int i = 0; i < 3; i++) {
      last = on.runs().start(RunActions.onThread(request(name), old)).run();
      on.await(last, RunStatus.SUCCEEDED);
    }

    var fork = on.runs().fork(as(last, 1, "b").onThread(fresh("young"), IfBusy.REJECT).request());

    assertThat(
            on.jdbc()
                .sql("select ordinal from run where id = ?")
                .param(fork)
                .query(Long.class)
                .single())
        .isEqualTo(3);
    on.await(fork, RunStatus.SUCCEEDED);
  }

  @Test
  void showsWhatHasHappened() {
    var input = ObjectValue.of("log", Value.of("in"));
    var run = on.runs().start(request(asking(), input)).run();
    var interrupt = on.await(run, RunStatus.INTERRUPTED).interrupts().getFirst();
    on.runs().answer(interrupt.id(), Value.of("yes"));
    on.await(run, RunStatus.SUCCEEDED);

    var page = on.queries().tasks(run, TaskFilter.ALL, Page.Request.first(2));
    var rest = on.queries().tasks(run, TaskFilter.ALL, new Page.Request(page.next(), 2));
    assertThat(page.items()).extracting(TaskView::id).containsExactly("3:after", "2:ask");
    assertThat(rest.items()).extracting(TaskView::id).containsExactly("1:before");
    assertThat(rest.next()).isEmpty();
    var checkpoints = on.queries().checkpoints(run, Optional.empty(), Page.Request.first(10));
    assertThat(checkpoints.items())
        .extracting(it -> it.kind().name())
        .containsExactly("FINAL", "STEP", "HELD", "STEP", "INPUT");
    var held = on.queries().checkpoint(run, 2);
    assertThat(held.interrupts()).extracting(StoredInterrupt::id).containsExactly(interrupt.id());
    assertThat(held.pendingResults()).extracting(TaskView::id).containsExactly("2:ask");
    assertThat(on.queries().marks(run).values()).containsOnly(NodeStatus.DONE).hasSize(3);
  }

  @Test
  void findsRunsByWhatIsKnownOfThem() {
    var name = asking();
    var runs = List.of(on.start(name), on.start(name), on.start(name));
    runs.forEach(it -> on.await(it, RunStatus.INTERRUPTED));
    on.runs().cancel(runs.get(1));
    var filter =
        new RunFilter(
            Optional.of(name),
            java.util.Set.of(RunStatus.INTERRUPTED),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            java.util.Map.of(),
            Optional.empty(),
            Optional.empty());

    var first = on.queries().search(filter, Page.Request.first(1));
    var second = on.queries().search(filter, new Page.Request(first.next(), 1));

    assertThat(first.items()).extracting(RunSummary::id).containsExactly(runs.get(2));
    assertThat(second.items()).extracting(RunSummary::id).containsExactly(runs.get(0));
    assertThat(second.next()).isEmpty();
  }
}
