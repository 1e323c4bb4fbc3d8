package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.TestRuns.TestRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Spending;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/// What attempts have spent that are cut off (E15, E39): a call that was begun is paid for.
class CutOffSpendingTests {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());
  private volatile Runnable cancel = () -> {};

  /// Calls a model that takes 10 tokens in and 5 out.
  private void call(NodeCall call) {
    call.meter().begin();
    calls.add(call.task().key().toString());
    call.meter().add(10, 5);
  }

  private static TestRun run(TestGraph graph, Limits limits) {
    return TestRuns.of(graph.limits(limits));
  }

  private static Usage total(TestRun run) {
    return TaskRecord.spending(run.last().pending().spent(), run.last().held().values()).total();
  }

  /// A node that is cut off in the middle of its second call, and does no more than one the next
  /// time.
  private TestRun stuck(CountDownLatch called, Limits limits) {
    var graph =
        new TestGraph()
            .node(
                "a",
                call -> {
                  call(call);
                  if (called.getCount() > 0) {
                    call.meter().begin();
                    called.countDown();
                    new CountDownLatch(1).await();
                  }
                  return done();
                })
            .edge("__start__", "a");
    return run(graph, limits);
  }

  /// E39: the wall time was over, the model is paid for all the same.
  @Test
  void countsWhatWasUnderWayWhenTheRunTimedOut() {
    var run = stuck(new CountDownLatch(1), timeout(Duration.ofSeconds(2)));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("run_timeout");
    assertThat(total(run)).isEqualTo(new Usage(2, 10, 5));
    assertThat(run.resume(timeout(Duration.ofMinutes(1)))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(total(run)).isEqualTo(new Usage(3, 20, 10));
  }

  /// E39: the next attempt has what the one before has left.
  @Test
  void countsWhatWasUnderWayWhenTheReplicaDrained() {
    var called = new CountDownLatch(1);
    var run = stuck(called, calls(2));
    end(run, called, new Inbox.Signal.Drain(run.runs().clock.instant()));

    assertThat(run.head().status()).isEqualTo(RunStatus.QUEUED);
    assertThat(recorded(run)).isEqualTo(new Usage(2, 10, 5));
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo(RunBudget.CALLS_EXCEEDED);
    assertThat(run.resume(calls(3))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(total(run)).isEqualTo(new Usage(3, 20, 10));
  }

  @Test
  void countsWhatWasUnderWayWhenTheRunWasCancelled() {
    var called = new CountDownLatch(1);
    var run = stuck(called, Limits.NONE);
    cancel = () -> run.runs().store.cancel(run.header.id());
    end(run, called, new Inbox.Signal.Nudge());

    assertThat(run.head().status()).isEqualTo(RunStatus.CANCELLED);
    assertThat(recorded(run)).isEqualTo(new Usage(2, 10, 5));
  }

  /// The flag is seen with the commit of a superstep: its tasks are done and paid for.
  @Test
  void countsASuperstepThatWasCancelledInstead() {
    var run =
        run(
            new TestGraph()
                .node(
                    "a",
                    call -> {
                      call(call);
                      cancel.run();
                      return done();
                    })
                .node("b", _ -> done())
                .edge("__start__", "a")
                .edge("a", "b"),
            Limits.NONE);
    cancel = () -> run.runs().store.cancel(run.header.id());

    assertThat(run.drive()).isEqualTo(RunStatus.CANCELLED);
    assertThat(recorded(run)).isEqualTo(new Usage(1, 10, 5));
  }

  /// An attempt that was cut off begins no call that nobody would count.
  @Test
  void beginsNoCallOnceNobodyWaits() {
    var over = new CountDownLatch(1);
    var late = new ArrayList<String>();
    var graph =
        new TestGraph()
            .node(
                "a",
                call -> {
                  try {
                    new CountDownLatch(1).await();
                  } catch (InterruptedException e) {
                    try {
                      call(call);
                    } catch (TaskFailedException refused) {
                      late.add(refused.error().code());
                    }
                    over.countDown();
                  }
                  return done();
                })
            .edge("__start__", "a");
    var run = run(graph, timeout(Duration.ofSeconds(1)));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    await().until(() -> over.getCount() == 0);
    assertThat(late).containsExactly("node_interrupted");
    assertThat(calls).isEmpty();
  }

  private static Usage recorded(TestRun run) {
    return TaskRecord.spending(
            Spending.NOTHING, run.runs().store.recorded(run.header.id()).values())
        .total();
  }

  private void end(TestRun run, CountDownLatch called, Inbox.Signal signal) {
    var driver = Thread.ofVirtual().start(run::drive);
    await().until(() -> called.getCount() == 0);
    cancel.run();
    run.inbox.put(signal);
    await().until(() -> !driver.isAlive());
  }

  private static Limits calls(int max) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(max),
        Optional.empty(),
        Optional.empty());
  }

  private static Limits timeout(Duration max) {
    var none = Limits.NONE;
    return new Limits(
        none.superstepsMax(),
        none.concurrencyMax(),
        none.dispatchesMax(),
        none.modelCallsMax(),
        none.tokensMax(),
        Optional.of(max));
  }
}
