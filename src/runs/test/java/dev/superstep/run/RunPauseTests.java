package dev.superstep.run;

import static dev.superstep.run.RunActions.fresh;
import static dev.superstep.run.RunActions.refused;
import static dev.superstep.run.RunActions.resume;
import static dev.superstep.run.TestGraphs.asks;
import static dev.superstep.run.TestGraphs.graph;
import static dev.superstep.run.TestGraphs.log;
import static dev.superstep.run.TestGraphs.says;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.ChildRequest;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;
import dev.superstep.problem.ErrorCode;
import dev.superstep.run.store.ChildLinks;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;

/// E38: runs that calls pause, and have go on superstep by superstep.
@RunTest
class RunPauseTests {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Autowired private RunActions on;
  @Autowired private PauseService pauses;
  @Autowired private ChildRuns childRuns;
  @Autowired private ChildLinks links;
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);

  @AfterEach
  void open() {
    gate.countDown();
  }

  /// Three nodes in a row, of which the first waits for the test.
  private String startGated() throws InterruptedException {
    var name = fresh("gated");
    on.graphs()
        .add(
            graph(name)
                .node(
                    "a",
                    _ -> {
                      begun.countDown();
                      gate.await();
                      return log("a");
                    })
                .node("b", says("b"))
                .node("c", says("c"))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"));
    var run = on.start(name);
    assertThat(begun.await(30, SECONDS)).isTrue();
    return run;
  }

  private static NodeRunner sleeps(Duration time) {
    return call -> call.woken() ? log("woken") : new Outcome.Waiting(call.clock().plus(time));
  }

  /// A question, and something that the run waits for beside it.
  private String startWaiting(Duration time) {
    var name = fresh("waits");
    on.graphs()
        .add(
            graph(name)
                .node("ask", asks(InterruptRequest.of("approve", Value.TRUE)))
                .node("sleep", sleeps(time))
                .edge("__start__", "ask", "sleep"));
    var run = on.start(name);
    on.await(run, RunStatus.INTERRUPTED);
    return run;
  }

  private List<String> next(String run) {
    var breakpoint = on.queries().summary(run).standing().breakpoint().orElseThrow();
    assertThat(breakpoint.when()).isEqualTo(RunHead.Breakpoint.PAUSE);
    return breakpoint.nodes();
  }

  private ErrorCode code(Runnable call) {
    return refused(call).code();
  }

  @Test
  void pausesBehindTheSuperstepInFlightAndGoesOnStepByStep() throws Exception {
    var run = startGated();
    pauses.pause(run);
    pauses.pause(run);
    assertThat(code(() -> pauses.step(run))).isEqualTo(ErrorCode.RUN_NOT_AT_REST);
    gate.countDown();

    on.await(run, RunStatus.INTERRUPTED);
    assertThat(next(run)).containsExactly("b");
    assertThat(on.log(run)).containsExactly("a");
    pauses.pause(run);

    pauses.step(run);
    await().atMost(SOON).until(() -> on.log(run).size() == 2);
    on.await(run, RunStatus.INTERRUPTED);
    assertThat(next(run)).containsExactly("c");
    on.runs().resume(resume(run));

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.log(run)).containsExactly("a", "b", "c");
    assertThat(on.events(run).stream().filter(it -> it.equals("run.interrupted"))).hasSize(2);
    assertThat(code(() -> pauses.pause(run))).isEqualTo(ErrorCode.RUN_ENDED);
    assertThat(code(() -> pauses.step(run))).isEqualTo(ErrorCode.RUN_ENDED);
  }

  @Test
  void goesOnIfItIsResumedBeforeItHasPaused() throws Exception {
    var run = startGated();
    pauses.pause(run);
    on.runs().resume(resume(run));
    gate.countDown();

    on.await(run, RunStatus.SUCCEEDED);
    assertThat(on.events(run)).doesNotContain("run.interrupted");
  }

  /// A run that waits pauses at once; resumed, it waits for the same time.
  @Test
  void keepsAWaitWhileItIsPaused() {
    var name = fresh("sleeps");
    on.graphs()
        .add(
            graph(name)
                .node("a", sleeps(Duration.ofHours(1)))
                .node("b", says("b"))
                .edge("__start__", "a")
                .edge("a", "b"));
    var run = on.start(name);
    await().atMost(SOON).until(() -> on.status(run) == RunStatus.WAITING);
    var due = on.queries().summary(run).times().wakesAt();

    pauses.pause(run);

    assertThat(on.status(run)).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(next(run)).containsExactly("a");
    assertThat(on.queries().summary(run).times().wakesAt()).isEmpty();
    on.runs().resume(resume(run));
    await().atMost(SOON).until(() -> on.status(run) == RunStatus.WAITING);
    assertThat(on.queries().summary(run).times().wakesAt()).isEqualTo(due);
    on.runs().cancel(run);
  }

  @Test
  void keepsAnAnswerUntilItGoesOn() {
    var run = startWaiting(Duration.ofHours(1));
    pauses.pause(run);
    assertThat(code(() -> pauses.step(run))).isEqualTo(ErrorCode.NOTHING_TO_RESUME);
    var open = on.queries().run(run).interrupts().getFirst().id();

    on.runs().answer(open, Value.of("yes"));

    assertThat(on.status(run)).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(next(run)).containsExactlyInAnyOrder("ask", "sleep");
    on.runs().resume(resume(run));
    await().atMost(SOON).until(() -> on.status(run) == RunStatus.WAITING);
    assertThat(on.queries().run(run).interrupts()).isEmpty();
    pauses.pause(run);
    on.runs().cancel(run);
    assertThat(on.status(run)).isEqualTo(RunStatus.CANCELLED);
  }

  /// A step that asks goes on with the answer, and pauses behind the same superstep.
  @Test
  void pausesBehindAStepThatHasAsked() {
    var name = fresh("asks");
    on.graphs()
        .add(
            graph(name)
                .node("a", says("a"))
                .node("b", asks(InterruptRequest.of("approve", Value.TRUE)))
                .node("c", says("c"))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"));
    var run = startStopped(name);
    pauses.step(run);
    await().atMost(SOON).until(() -> !on.queries().run(run).interrupts().isEmpty());
    on.await(run, RunStatus.INTERRUPTED);

    on.runs().answer(on.queries().run(run).interrupts().getFirst().id(), Value.of("yes"));

    await().atMost(SOON).until(() -> on.log(run).size() == 2);
    on.await(run, RunStatus.INTERRUPTED);
    assertThat(next(run)).containsExactly("c");
    pauses.step(run);
    on.await(run, RunStatus.SUCCEEDED);
  }

  /// A run inside that begins when the one around it is to pause waits for that.
  @Test
  void pausesTheRunThatATaskBeginsMeanwhile() {
    var child = fresh("inside");
    on.graphs().add(graph(child).node("a", says("a")).edge("__start__", "a"));
    var request = new ChildRequest(child, Optional.empty(), ObjectValue.empty());
    var name = fresh("around");
    on.graphs()
        .add(
            graph(name)
                .node(
                    "call",
                    call -> {
                      if (call.childEnd().isPresent()) {
                        return log("over");
                      }
                      pauses.pause(call.run().id());
                      return new Outcome.Child(childRuns.prepare(call, request).orElseThrow());
                    })
                .edge("__start__", "call"));
    var run = on.start(name);

    on.await(run, RunStatus.INTERRUPTED);
    assertThat(next(run)).containsExactly("call");
    var below = links.lastOf(run).values().iterator().next();
    on.await(below, RunStatus.INTERRUPTED);
    assertThat(on.log(below)).isEmpty();

    on.runs().resume(resume(run));
    on.await(run, RunStatus.SUCCEEDED);
  }

  /// What has failed beside a wait is not tried again when the run goes on.
  @Test
  void failsAsItWouldHaveWithoutThePause() {
    var calls = new AtomicInteger();
    var name = fresh("fails");
    on.graphs()
        .add(
            graph(name)
                .node(
                    "fails",
                    _ -> {
                      calls.incrementAndGet();
                      return new Outcome.Failed(TaskError.permanent("broken", "it is"));
                    })
                .node("sleep", sleeps(Duration.ofHours(1)))
                .edge("__start__", "fails", "sleep"));
    var run = on.start(name);
    await().atMost(SOON).until(() -> on.status(run) == RunStatus.WAITING);

    pauses.pause(run);
    on.runs().resume(resume(run));

    await().atMost(SOON).until(() -> on.status(run) == RunStatus.WAITING);
    assertThat(calls).hasValue(1);
    on.runs().cancel(run);
  }

  /// Stands at a breakpoint before its second node.
  private String startStopped(String graph) {
    var before =
        new StartRun.Options(
            Limits.NONE, new Breakpoints(Set.of("b"), Set.of()), 0, Optional.empty());
    var run = on.runs().start(RunActions.with(RunActions.request(graph), before)).run();
    on.await(run, RunStatus.INTERRUPTED);
    return run;
  }
}
