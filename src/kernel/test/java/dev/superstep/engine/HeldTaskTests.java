package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.ask;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.failed;
import static dev.superstep.engine.TestNodes.failing;
import static dev.superstep.engine.TestNodes.flaky;
import static dev.superstep.engine.TestNodes.person;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.state.Change;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// What a held superstep keeps of its tasks (E32–E36, E40).
class HeldTaskTests {
  private final List<String> keys = new ArrayList<>();

  /// Asks, then fails the first time it has the answer.
  private Outcome asksThenFails(NodeCall call) {
    keys.add(call.idempotencyKey());
    if (call.resume().isEmpty()) {
      return ask("well?", Change.update("said", Value.of("asked")));
    }
    return keys.size() == 2 ? flaky("http_503") : set("said", Value.of("done"));
  }

  private TestRuns.TestRun asking(TestRuns runs, UnaryOperator<TestGraph.Policies> policy) {
    return runs.start(
        new TestGraph()
            .channel("said", new Reducer.Append())
            .node("a", policy, this::asksThenFails)
            .edge("__start__", "a")
            .program(),
        ObjectValue.empty());
  }

  private void sawTheAnswerTwice(TestRuns.TestRun run) {
    assertThat(run.state("said")).isEqualTo(ListValue.texts("asked", "done"));
    assertThat(keys).hasSize(3);
    assertThat(keys.get(2)).isEqualTo(keys.get(1)).isNotEqualTo(keys.get(0));
  }

  /// E34, E36, E40: nobody is asked again, and the held change counts once.
  @Test
  void givesTheAnswerAgainToATaskThatFailedBehindIt() {
    var run = asking(new TestRuns(), it -> it);
    run.drive();

    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.FAILED);
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);

    sawTheAnswerTwice(run);
  }

  /// E31, E36
  @Test
  void keepsTheAnswerOverABackOffThatParksTheRun() {
    var runs = new TestRuns();
    var run = asking(runs, it -> it.attempts(3, Duration.ofHours(1)));
    run.drive();

    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.WAITING);
    runs.pass(Duration.ofHours(2));
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    sawTheAnswerTwice(run);
  }

  /// E32, E34: a failure that an error edge takes care of is done, whoever else still asks.
  @Test
  void callsATaskWithAnErrorEdgeNotAgain() {
    handledBeside(it -> it);
  }

  /// E32, E34
  @Test
  void callsATaskThatGoesOnAfterErrorsNotAgain() {
    handledBeside(TestGraph.Policies::goesOn);
  }

  private void handledBeside(UnaryOperator<TestGraph.Policies> policy) {
    var graph =
        new TestGraph()
            .node(
                "bad",
                policy,
                call -> {
                  keys.add(call.idempotencyKey());
                  return failed("http_404");
                })
            .node("ask", person("review"))
            .node("mend", _ -> set("mended", 1))
            .edge("__start__", "bad", "ask");
    boolean byEdge = policy.apply(TestGraph.Policies.DEFAULT).equals(TestGraph.Policies.DEFAULT);
    var run = TestRuns.of(byEdge ? graph.onError("bad", "mend") : graph);

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    int held = run.kinds().size();
    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.kinds()).as("nothing new to hold").hasSize(held);
    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(keys).hasSize(1);
    assertThat(run.state("mended")).isEqualTo(byEdge ? Value.of(1) : Value.NULL);
    assertThat(run.events()).containsOnlyOnce("task.handled").doesNotContain("task.failed");
  }

  /// C32: also where the outcome is recorded, and told of, before the siblings are done.
  @Test
  void tellsOfAHandledFailureAsHandledWhileSiblingsWork() {
    var runs = new TestRuns();
    var run =
        runs.start(
            new TestGraph()
                .node(
                    "bad",
                    call -> {
                      call.meter().begin();
                      return failed("http_404");
                    })
                .node("mend", _ -> set("mended", 1))
                .node(
                    "slow",
                    _ -> {
                      await().until(() -> !runs.store.recorded("run-0").isEmpty());
                      return set("slow", 1);
                    })
                .edge("__start__", "bad", "slow")
                .onError("bad", "mend")
                .program(),
            ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("mended")).isEqualTo(Value.of(1));
    assertThat(run.events()).containsOnlyOnce("task.handled").doesNotContain("task.failed");
  }

  /// C32: what was told of as failed is told of again when an edit makes an error edge fit.
  @Test
  void tellsThatAFailureWasHandledAfterAll() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("bad", _ -> failed("http_404"))
                .node("ask", person("review"))
                .node("mend", _ -> set("mended", 1))
                .edge("__start__", "bad", "ask"));
    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.events()).containsOnlyOnce("task.failed").doesNotContain("task.handled");

    run.program =
        new TestGraph()
            .node("bad", _ -> failed("http_404"))
            .node("ask", person("review"))
            .node("mend", _ -> set("mended", 1))
            .edge("__start__", "bad", "ask")
            .onError("bad", "mend")
            .program();

    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("mended")).isEqualTo(Value.of(1));
    assertThat(run.events()).containsOnlyOnce("task.failed").containsOnlyOnce("task.handled");
  }

  /// E32, E34: the same beside a failure that nobody takes care of.
  @Test
  void runsOnlyTheUnhandledFailureAgain() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "bad",
                    call -> {
                      keys.add(call.idempotencyKey());
                      return failed("http_404");
                    })
                .node("worse", failing(1, "broken", done()))
                .node("mend", _ -> set("mended", 1))
                .edge("__start__", "bad", "worse")
                .onError("bad", "mend"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(keys).hasSize(1);
    assertThat(run.state("mended")).isEqualTo(Value.of(1));
  }

  /// E38: breakpoints of a run come on top of those of its graph.
  @Test
  void stopsAtTheBreakpointsOfItsGraphAndAtItsOwn() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> done())
                .node("b", _ -> done())
                .edge("__start__", "a")
                .edge("a", "b")
                .breakpoints(Set.of("b"), Set.of()));
    run.runs().store.limit(run.header.id(), Limits.NONE, new Breakpoints(Set.of(), Set.of("a")));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// E30: whatever a node throws is a failure of its task.
  @Test
  void failsATaskWhoseNodeLacksAClass() {
    NodeRunner lacking =
        _ -> {
          throw new NoClassDefFoundError("extension/Missing");
        };
    var run = TestRuns.of(new TestGraph().node("a", lacking).edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("node_failed");
  }
}
