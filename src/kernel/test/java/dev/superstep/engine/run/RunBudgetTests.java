package dev.superstep.engine.run;

import static dev.superstep.engine.TestNodes.ask;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.flaky;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.StateEdit;
import dev.superstep.engine.SuperstepLoop;
import dev.superstep.engine.TestGraph;
import dev.superstep.engine.TestNodes;
import dev.superstep.engine.TestPorts;
import dev.superstep.engine.TestRuns;
import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.LocalInbox;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.Slicing;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// What runs may spend on models (E15, E39).
class RunBudgetTests {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  /// Calls a model that takes 10 tokens in and 5 out.
  private void call(NodeCall call) {
    call.meter().begin();
    calls.add(call.task().key().toString());
    call.meter().add(10, 5, new CachedInput(6, 3));
  }

  private NodeRunner caller(int times) {
    return call -> {
      for (int i = 0; i < times; i++) {
        call(call);
      }
      return done();
    };
  }

  private static TestRun run(TestGraph graph, Limits limits) {
    return TestRuns.of(graph.limits(limits));
  }

  private static Usage total(TestRun run) {
    return TaskRecord.spending(run.last().pending().spent(), run.last().held().values()).total();
  }

  /// E39
  @Test
  void failsARunThatHasNoCallsLeftAndGoesOnWithMore() {
    var graph =
        new TestGraph()
            .node("a", caller(2))
            .node("b", caller(2))
            .edge("__start__", "a")
            .edge("a", "b");
    var run = run(graph, calls(3));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo(RunBudget.CALLS_EXCEEDED);
    assertThat(total(run)).isEqualTo(new Usage(3, 30, 15).with(new CachedInput(18, 9)));
    assertThat(run.resume(calls(5))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(total(run)).isEqualTo(new Usage(5, 50, 25).with(new CachedInput(30, 15)));
    assertThat(run.last().pending().spent().nodes())
        .containsEntry(new NodeId("a"), new Usage(2, 20, 10).with(new CachedInput(12, 6)))
        .containsEntry(new NodeId("b"), new Usage(3, 30, 15).with(new CachedInput(18, 9)));
  }

  /// E39
  @Test
  void failsARunThatHasNoTokensLeft() {
    var run = run(new TestGraph().node("a", caller(9)).edge("__start__", "a"), tokens(40));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo(RunBudget.TOKENS_EXCEEDED);
    assertThat(calls).hasSize(3);
  }

  /// E12: side by side they make no more calls than one after the other.
  @Test
  void sharesTheBudgetAmongParallelTasks() {
    var graph =
        new TestGraph()
            .node("plan", _ -> TestNodes.sendItems("work", 40))
            .node("work", caller(1))
            .edge("__start__", "plan");
    var run = run(graph, calls(25));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).hasSize(25);
    assertThat(run.resume(calls(40))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).doesNotHaveDuplicates().hasSize(40);
  }

  /// E32, E39: neither retries nor edges take care of it.
  @Test
  void isNotHandledByTheGraph() {
    var graph =
        new TestGraph()
            .node("a", it -> it.attempts(3, Duration.ofMillis(1)).goesOn(), caller(2))
            .edge("__start__", "a");
    var run = run(graph, calls(1));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo(RunBudget.CALLS_EXCEEDED);
    assertThat(calls).hasSize(1);
  }

  /// E31: what a failed attempt has spent is spent.
  @Test
  void countsEveryAttempt() {
    var graph =
        new TestGraph()
            .node(
                "a",
                it -> it.attempts(3, Duration.ofMillis(1)),
                call -> {
                  call(call);
                  return call.attempt() < 3 ? flaky("x") : done();
                })
            .edge("__start__", "a");
    var run = TestRuns.of(graph);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(total(run).calls()).isEqualTo(3);
  }

  /// E36
  @Test
  void countsWhatWasSpentBeforeAQuestion() {
    var graph =
        new TestGraph()
            .node(
                "a",
                call -> {
                  call(call);
                  return call.resume().isPresent() ? done() : ask("well?");
                })
            .edge("__start__", "a");
    var run = TestRuns.of(graph);

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(total(run).calls()).isEqualTo(1);
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(total(run).calls()).isEqualTo(2);
  }

  /// E10.3, E47: what was recorded before a crash counts, and counts once.
  @Test
  void remembersOverACrashWhatWasRecorded() {
    var crash = new CountDownLatch(1);
    var open = new CountDownLatch(1);
    var graph =
        new TestGraph()
            .node("a", caller(2))
            .node(
                "b",
                call -> {
                  if (open.getCount() > 0) {
                    crash.await();
                  }
                  call(call);
                  call(call);
                  return done();
                })
            .edge("__start__", "a", "b");
    var run = run(graph, calls(3));
    var store = run.runs().store;
    var driver = Thread.ofVirtual().start(() -> run.drive(store));
    await().until(() -> store.recorded(run.header.id()).size() == 1);
    driver.interrupt();
    open.countDown();

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).containsExactly("1:a", "1:a", "1:b");
    assertThat(total(run).calls()).isEqualTo(3);
  }

  /// E48: a fork has spent nothing yet.
  @Test
  void letsAForkBeginAtNothing() {
    var run = TestRuns.of(new TestGraph().node("a", caller(2)).edge("__start__", "a"));
    run.drive();

    var fork =
        new StateEdit(run.program, run.header, EngineLimits.DEFAULT, run.runs().clock)
            .fork(run.last(), Change.NONE, Optional.empty());

    assertThat(total(run).calls()).isEqualTo(2);
    assertThat(((PreparedCheckpoint.Ready) fork).write().after().pending().spent())
        .isEqualTo(Spending.NOTHING);
  }

  /// What draws on a budget stays with its driver, so that no replica overdraws it.
  @Test
  void keepsTasksOfABudgetTogether() {
    var spending =
        new NodeRunner() {
          @Override
          public Outcome run(NodeCall call) {
            call(call);
            return done();
          }

          @Override
          public boolean spends() {
            return true;
          }
        };
    var graph =
        new TestGraph()
            .node("plan", _ -> TestNodes.sendItems("work", 20))
            .node("work", spending)
            .edge("__start__", "plan");
    var cut = new ArrayList<Integer>();

    for (var limits : List.of(calls(50), Limits.NONE)) {
      drive(run(graph, limits), cut);
    }

    assertThat(cut).containsExactly(20);
  }

  private static void drive(TestRun run, List<Integer> cut) {
    var slicing =
        new Slicing() {
          @Override
          public int threshold() {
            return 10;
          }

          @Override
          public Optional<Slices> cut(Lease lease, Wide wide) {
            cut.add(wide.tasks().size());
            return Optional.empty();
          }
        };
    var runs = run.runs();
    var ports = TestPorts.of(runs.store, TestPorts.pool(100), runs.clock).slicing(slicing).ports();
    try {
      new SuperstepLoop(ports, runs.limits)
          .drive(run.program, runs.store.claim(run.header.id()), new LocalInbox(runs.clock));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Limits calls(int max) {
    return limits(Optional.of(max), Optional.empty());
  }

  private static Limits tokens(long max) {
    return limits(Optional.empty(), Optional.of(max));
  }

  private static Limits limits(Optional<Integer> calls, Optional<Long> tokens) {
    return new Limits(
        Optional.empty(), Optional.empty(), Optional.empty(), calls, tokens, Optional.empty());
  }
}
