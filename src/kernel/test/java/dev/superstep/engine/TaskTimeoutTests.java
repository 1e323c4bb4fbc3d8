package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.TaskPool;
import dev.superstep.engine.node.VirtualTaskPool;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// E31: a task whose answer is there has not timed out, however long it takes until its turn comes.
class TaskTimeoutTests {
  private static final Duration LONG = Duration.ofSeconds(10);
  private final TestRuns runs = new TestRuns();
  private final AtomicInteger looks = new AtomicInteger();
  private volatile Duration away = Duration.ZERO;

  private TestRuns.TestRun run(TestGraph graph) {
    return runs.start(graph.program(), ObjectValue.empty());
  }

  private static TestGraph.Policies inASecond(TestGraph.Policies policies) {
    return policies.timeout(Duration.ofSeconds(1));
  }

  private RunStatus drive(TestRuns.TestRun run, TaskPool pool) throws InterruptedException {
    var store = new CountingStore(runs.store, looks, () -> runs.pass(away));
    var ports = TestPorts.of(store, pool, runs.clock).ports();
    return new SuperstepLoop(ports, EngineLimits.DEFAULT)
        .drive(run.program, runs.store.claim(run.header.id()), run.inbox);
  }

  /// The driver is late: the answers are in its inbox when it looks at the time.
  @Test
  void takesAnAnswerThatWaitsForTheDriver() throws Exception {
    var run =
        run(
            new TestGraph()
                .node("first", _ -> set("first", 1))
                .node("a", TaskTimeoutTests::inASecond, _ -> set("a", 1))
                .node(
                    "b",
                    _ -> {
                      runs.pass(LONG);
                      return set("b", 1);
                    })
                .edge("__start__", "first", "a", "b"));
    TaskPool atOnce =
        (_, attempt) -> {
          attempt.run();
          return () -> {};
        };

    assertThat(drive(run, atOnce)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("a")).isEqualTo(Value.of(1));
  }

  /// The thread is late: it has the answer and queues for the foreground.
  @Test
  void waitsForATaskThatQueuesWithItsAnswer() throws Exception {
    var workPermits =
        new WorkPermits(
            1, Duration.ofMinutes(1), () -> System.nanoTime() + runs.skipped.get().toNanos());
    var gate = new CountDownLatch(1);
    var held = new CountDownLatch(1);
    Thread.ofVirtual()
        .start(() ->
            workPermits.begin(
                Share.NOBODYS,
                () -> {
                  held.countDown();
                  pass(gate);
                }));
    held.await();
    var run =
        run(
            new TestGraph()
                .node(
                    "a",
                    TaskTimeoutTests::inASecond,
                    _ -> {
                      try (var _ = WorkPermits.releaseDuringIo()) {
                        runs.pass(Duration.ofMillis(500));
                      }
                      return set("a", 1);
                    })
                .edge("__start__", "a"));
    var driver = Thread.ofVirtual().unstarted(() -> driveTo(run, workPermits));
    driver.start();
    await().until(() -> workPermits.queued() == 1);

    runs.pass(LONG);
    for (int i = 1; i <= 2; i++) {
      int seen = i;
      run.inbox.put(new Inbox.Signal.Nudge());
      await().until(() -> looks.get() == seen);
    }
    gate.countDown();

    driver.join();
    assertThat(run.head().status()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// The database is late: the task waits until what it has done is on disk.
  @Test
  void waitsForATaskThatWaitsForTheDatabase() throws Exception {
    var gate = new CountDownLatch(1);
    var calls = new AtomicInteger();
    var deadlines = new CopyOnWriteArrayList<Instant>();
    var run =
        run(
            new TestGraph()
                .node(
                    "a",
                    TaskTimeoutTests::inASecond,
                    call -> {
                      calls.incrementAndGet();
                      deadlines.add(call.deadline().orElseThrow());
                      call.parts().record("paid", Value.of(1));
                      deadlines.add(call.deadline().orElseThrow());
                      gate.await();
                      return set("a", 1);
                    })
                .edge("__start__", "a"));
    away = LONG;
    var driver = Thread.ofVirtual().start(() -> driveTo(run, new WorkPermits(10, LONG)));
    await().until(() -> deadlines.size() == 2);

    for (int i = 1; i <= 2; i++) {
      int seen = i;
      run.inbox.put(new Inbox.Signal.Nudge());
      await().until(() -> looks.get() == seen);
    }
    gate.countDown();

    driver.join();
    assertThat(run.head().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(1);
    assertThat(Duration.between(deadlines.getFirst(), deadlines.getLast()))
        .isGreaterThanOrEqualTo(LONG);
  }

  private void driveTo(TestRuns.TestRun run, WorkPermits workPermits) {
    try {
      drive(run, new VirtualTaskPool(10, workPermits));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void pass(CountDownLatch gate) {
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
