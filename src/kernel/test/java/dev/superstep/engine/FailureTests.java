package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.failed;
import static dev.superstep.engine.TestNodes.failing;
import static dev.superstep.engine.TestNodes.flaky;
import static dev.superstep.engine.TestNodes.item;
import static dev.superstep.engine.TestNodes.sendItems;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Failure, retry, error edges, held supersteps and their resume (E20, E30–E34, E39, E40).
class FailureTests {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  private Outcome note(String call, Outcome outcome) {
    calls.add(call);
    return outcome;
  }

  /// E31, K17: downstream runs once, after the retry; the failed attempt leaves nothing.
  @Test
  void retriesANodeThatFailsOnce() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    it -> it.attempts(3, Duration.ofMillis(1)),
                    failing(1, "http_503", set("x", 1)))
                .node("b", _ -> note("b", done()))
                .edge("__start__", "a")
                .edge("a", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("b");
    assertThat(run.state("x")).isEqualTo(Value.of(1));
  }

  /// E31: at most `max_attempts`, and only of errors that may be repeated.
  @Test
  void stopsRetryingAtTheLimitAndForPermanentErrors() {
    var attempts = new AtomicInteger();
    var flaky =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    it -> it.attempts(3, Duration.ofMillis(1)),
                    _ -> {
                      attempts.incrementAndGet();
                      return flaky("http_500");
                    })
                .edge("__start__", "a"));
    var permanent =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    it -> it.attempts(3, Duration.ofMillis(1)),
                    _ -> note("a", failed("http_404")))
                .edge("__start__", "a"));

    assertThat(flaky.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(attempts).hasValue(3);
    assertThat(flaky.head().error().orElseThrow().attempt()).isEqualTo(3);
    assertThat(permanent.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).containsExactly("a");
  }

  /// E30: whatever a node throws is a failure of its task, without class names.
  @Test
  void turnsAnythingThrownIntoAFailure() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    _ -> {
                      throw new IllegalStateException("no luck");
                    })
                .edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("node_failed");
    assertThat(run.head().error().orElseThrow().error().message()).isEqualTo("no luck");
  }

  /// E31: an attempt that takes too long is a retryable `node_timeout`; its late ending counts for
  /// nothing.
  @Test
  void timesOutAnAttemptAndRetries() {
    var first = new AtomicInteger();
    NodeRunner slowOnce =
        _ -> {
          if (first.getAndIncrement() == 0) {
            new CountDownLatch(1).await();
          }
          return set("x", first.get());
        };
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    it -> it.attempts(2, Duration.ofMillis(1)).timeout(Duration.ofMillis(500)),
                    slowOnce)
                .edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("x")).isEqualTo(Value.of(2));
  }

  /// E31, E33: a long back-off parks the run with a due time and no thread.
  @Test
  void parksARunForALongBackOff() {
    var runs = new TestRuns();
    var run =
        runs.start(
            new TestGraph()
                .node(
                    "a",
                    it -> it.attempts(2, Duration.ofHours(1)),
                    failing(1, "http_503", set("x", 1)))
                .edge("__start__", "a")
                .program(),
            ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    assertThat(run.head().wakesAt()).isPresent();
    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    runs.pass(Duration.ofHours(2));
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.events()).contains("run.waiting");
  }

  /// E7, E34, K2: only the failed dispatch runs again, with its own input: what fails is the task,
  /// not the node.
  @Test
  void runsOnlyTheFailedDispatchAgain() {
    var broken = new AtomicInteger(1);
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("said", new Reducer.Append())
                .node("plan", _ -> sendItems("work", 3))
                .node(
                    "work",
                    call -> {
                      calls.add("work" + item(call));
                      return item(call) == 1 && broken.getAndDecrement() > 0
                          ? failed("broken")
                          : set("said", item(call));
                    })
                .edge("__start__", "plan"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.state("said")).isEqualTo(Value.NULL);
    assertThat(run.last().held()).hasSize(3);
    var failed = run.head().error().orElseThrow().task().orElseThrow();
    assertThat(failed).isEqualTo(new TaskKey(2, new NodeId("work"), failed.dispatchId()));
    assertThat(failed.dispatchId()).isNotNull();
    assertThat(
            run.last().held().values().stream()
                .filter(it -> it.status() instanceof TaskRecord.TaskStatus.Failed)
                .map(TaskRecord::key))
        .containsExactly(failed);
    calls.clear();

    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("work1");
    assertThat(run.state("said")).isEqualTo(ListValue.of(Value.of(0), Value.of(1), Value.of(2)));
  }

  /// E39, K9: earlier failures stay in history only.
  @Test
  void endsARetriedRunAsSucceeded() {
    var run =
        TestRuns.of(
            new TestGraph().node("a", failing(1, "broken", set("x", 1))).edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.head().error()).isEmpty();
    assertThat(run.events()).contains("task.failed", "run.failed", "run.succeeded");
  }

  /// E34: a claim without a resume call leaves failed tasks alone.
  @Test
  void leavesFailedTasksAloneUnlessToldToResume() {
    var run =
        TestRuns.of(
            new TestGraph().node("a", _ -> note("a", failed("broken"))).edge("__start__", "a"));

    run.drive();
    run.drive();

    assertThat(calls).containsExactly("a");
  }

  /// E29, E32: an error edge makes the task count as done; the error goes into the channel that it
  /// names.
  @Test
  void followsAnErrorEdge() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> failed("http_404"))
                .node("b", _ -> note("b", done()))
                .node("rescue", _ -> note("rescue", done()))
                .node("other", _ -> note("other", done()))
                .edge("__start__", "a")
                .edge("a", "b")
                .onError("a", "rescue", "http_4*")
                .onError("a", "other", "http_5*"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("rescue");
    assertThat(run.state("problem"))
        .hasToString(
            "{\"attempt\":1,\"code\":\"http_404\",\"details\":{},\"message\":\"it says http_404\","
                + "\"node\":\"a\",\"superstep\":1}");
    assertThat(run.events()).containsOnlyOnce("task.handled").doesNotContain("task.failed");
  }

  /// E32, S3-8, C7: `on_error: continue` sends nothing; other branches go on.
  @Test
  void goesOnWithOtherBranches() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", it -> it.goesOn(), _ -> failed("broken"))
                .node("b", _ -> set("x", 1))
                .node("behind", _ -> note("behind", done()))
                .edge("__start__", "a", "b")
                .edge("a", "behind"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).isEmpty();
    assertThat(run.state("x")).isEqualTo(Value.of(1));
  }

  /// E10.3, E33: a failure does not cancel siblings; what they did is kept.
  @Test
  void keepsTheResultsOfSiblings() {
    var go = new CountDownLatch(1);
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "bad",
                    call -> {
                      go.countDown();
                      return call.attempt() > 0 && calls.isEmpty() ? failed("broken") : done();
                    })
                .node(
                    "good",
                    _ -> {
                      go.await();
                      return set("x", 1);
                    })
                .edge("__start__", "bad", "good"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.state("x")).isEqualTo(Value.NULL);
    calls.add("repaired");
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("x")).isEqualTo(Value.of(1));
  }

  /// E20: a result that cannot be folded fails its own task, and the node is not called again.
  @Test
  void redoesTheFoldWithoutCallingTheNode() {
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("sum", new Reducer.Sum())
                .node("a", _ -> note("a", set("sum", Value.of("no number"))))
                .node("b", _ -> note("b", set("sum", 1)))
                .edge("__start__", "a", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("reducer_failed");
    assertThat(run.head().error().orElseThrow().error().details().get("channel"))
        .isEqualTo(Value.of("sum"));
    assertThat(run.resume()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).containsExactlyInAnyOrder("a", "b");
  }

  /// E20, E32: error edges apply to results that cannot be folded.
  @Test
  void sendsAReducerFailureOverTheErrorEdge() {
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("sum", new Reducer.Sum())
                .node("a", _ -> set("sum", Value.of("no number")))
                .node("rescue", _ -> note("rescue", done()))
                .edge("__start__", "a")
                .onError("a", "rescue", "reducer_failed"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("rescue");
  }

  /// E34: a failed task may be resolved by hand: it counts as done and its edges fire.
  @Test
  void takesAResolutionForTheResultOfAFailedTask() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> note("a", failed("broken")))
                .node("b", _ -> note("b", done()))
                .edge("__start__", "a")
                .edge("a", "b"));
    run.drive();

    run.runs()
        .store
        .resolve(
            run.header.id(),
            new TaskKey(1, new NodeId("a"), null),
            Change.update("x", Value.of(7)));

    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "b");
    assertThat(run.state("x")).isEqualTo(Value.of(7));
  }

  /// E40: the key is stable over retries and resumes, and new after a state edit.
  @Test
  void keepsTheIdempotencyKeyOverRetriesAndChangesItAfterAnEdit() {
    Set<String> keys = ConcurrentHashMap.newKeySet();
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    it -> it.attempts(2, Duration.ofMillis(1)),
                    call -> {
                      keys.add(call.idempotencyKey());
                      return flaky("broken");
                    })
                .edge("__start__", "a"));
    run.drive();
    run.resume();
    assertThat(keys).hasSize(1);

    run.edit(Change.update("x", Value.of(1)));
    run.resume();
    assertThat(keys).hasSize(2);
  }

  /// E42: unresolved tasks see the edited state; held results stay.
  @Test
  void showsTheEditedStateToUnresolvedTasks() {
    NodeRunner needy =
        call -> call.state().get("help") == null ? failed("broken") : set("got", Value.of(true));
    var run =
        TestRuns.of(
            new TestGraph()
                .node("needy", needy)
                .node("other", _ -> note("other", set("x", 1)))
                .edge("__start__", "needy", "other"));
    run.drive();

    run.edit(Change.update("help", Value.of(true)));

    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("other");
    assertThat(run.kinds())
        .containsExactly(
            CheckpointKind.INPUT, CheckpointKind.HELD, CheckpointKind.UPDATE, CheckpointKind.FINAL);
    assertThat(run.state("x")).isEqualTo(Value.of(1));
  }

  /// E10.3: outcomes are recorded while siblings are open; a crash does not run them again.
  @Test
  void runsNoRecordedTaskAgainAfterACrash() {
    var crash = new CountDownLatch(1);
    var first = new AtomicInteger();
    NodeRunner slow =
        _ -> {
          if (first.getAndIncrement() == 0) {
            crash.await();
          }
          return set("slow", 1);
        };
    var run =
        TestRuns.of(
            new TestGraph()
                .node("fast", _ -> note("fast", set("fast", 1)))
                .node("slow", slow)
                .edge("__start__", "fast", "slow"));
    var store = run.runs().store;
    var driver = Thread.ofVirtual().start(() -> run.drive(store));
    await().until(() -> first.get() == 1 && !store.recorded(run.header.id()).isEmpty());
    driver.interrupt();

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("fast");
    assertThat(run.state("fast")).isEqualTo(Value.of(1));
  }

  /// E10.3, E33: nor is it lost from the hold that follows, which is all that is left of the stop
  /// when the superstep has committed.
  @Test
  void holdsWhatWasRecordedBeforeACrash() {
    var crash = new CountDownLatch(1);
    var first = new AtomicInteger();
    NodeRunner slow =
        _ -> {
          if (first.getAndIncrement() == 0) {
            crash.await();
          }
          return set("slow", 1);
        };
    var run =
        TestRuns.of(
            new TestGraph()
                .node("fast", _ -> note("fast", set("fast", 1)))
                .node("ask", TestNodes.person("review"))
                .node("slow", slow)
                .edge("__start__", "fast", "ask", "slow"));
    var store = run.runs().store;
    var driver = Thread.ofVirtual().start(() -> run.drive(store));
    await().until(() -> first.get() == 1 && store.recorded(run.header.id()).size() == 2);
    driver.interrupt();

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(store.checkpoints(run.header.id()).getLast().delta().tasks())
        .extracting(it -> it.key().node().value())
        .containsExactlyInAnyOrder("fast", "ask", "slow");
    assertThat(store.recorded(run.header.id())).isEmpty();
  }

  /// E15: the wall time of a run; a resume with a higher limit goes on.
  @Test
  void failsARunWhoseWallTimeIsOver() {
    var graph =
        new TestGraph()
            .node(
                "a",
                _ -> {
                  if (calls.isEmpty()) {
                    new CountDownLatch(1).await();
                  }
                  return done();
                })
            .edge("__start__", "a")
            .limits(timeout(Duration.ofMillis(50)));
    var run = TestRuns.of(graph);

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("run_timeout");
    calls.add("faster now");
    assertThat(run.resume(timeout(Duration.ofMinutes(1)))).isEqualTo(RunStatus.SUCCEEDED);
  }

  private static Limits timeout(Duration time) {
    return new Limits(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(time));
  }
}
