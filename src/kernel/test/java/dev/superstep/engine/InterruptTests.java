package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.ask;
import static dev.superstep.engine.TestNodes.askFor;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.failed;
import static dev.superstep.engine.TestNodes.failing;
import static dev.superstep.engine.TestNodes.item;
import static dev.superstep.engine.TestNodes.person;
import static dev.superstep.engine.TestNodes.sendItems;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
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
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Interrupts, answers, waits and breakpoints (E33–E38).
class InterruptTests {
  private static final Value APPROVED = ObjectValue.of("approved", Value.TRUE);
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  private Outcome note(String call, Outcome outcome) {
    calls.add(call);
    return outcome;
  }

  /// E34, E35, K16: first `interrupted` with the reason, then `succeeded` with the value.
  @Test
  void asksAndGoesOnWithTheAnswer() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", person("review"))
                .node("b", _ -> note("b", done()))
                .edge("__start__", "a")
                .edge("a", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.events()).containsSubsequence("task.interrupted", "run.interrupted");
    assertThat(calls).isEmpty();

    assertThat(run.answer(APPROVED)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("review")).isEqualTo(APPROVED);
    assertThat(calls).containsExactly("b");
  }

  static List<Value> oddAnswers() {
    return List.of(Value.NULL, Value.FALSE, Value.of(""), ObjectValue.empty());
  }

  /// E35: null, false, "" and {} are answers.
  @ParameterizedTest
  @MethodSource("oddAnswers")
  void acceptsAnyJsonAsAnswer(Value answer) {
    var run = TestRuns.of(new TestGraph().node("a", person("review")).edge("__start__", "a"));
    run.drive();

    assertThat(run.answer(answer)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.last().state().channels().has("review")).isTrue();
    assertThat(run.state("review")).isEqualTo(answer);
  }

  /// K1, E33, E34, E47: A is done while B asks; a new process continues.
  @Test
  void runsADoneSiblingNotAgainAndItsSuccessorOnce() {
    var seen = new ArrayList<String>();
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> note("a", set("from_a", 1)))
                .node(
                    "b",
                    call -> {
                      seen.add(call.state().toString());
                      return person("from_b").run(call);
                    })
                .node("c", _ -> note("c", done()))
                .edge("__start__", "a", "b")
                .edge("a", "c"));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.last().state().channels().isEmpty()).isTrue();
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(calls).containsExactly("a", "c");
    assertThat(seen).containsExactly("{}", "{}");
    assertThat(run.last().state().channels()).hasToString("{\"from_a\":1,\"from_b\":\"yes\"}");
  }

  /// K4: answering the interrupt does not lose the failure.
  @Test
  void keepsAFailureWhenTheInterruptBesideItIsAnswered() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("bad", failing(1, "broken", set("bad", 1)))
                .node("ask", person("review"))
                .edge("__start__", "bad", "ask"));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.answer(APPROVED)).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("broken");
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("review")).isEqualTo(APPROVED);
    assertThat(run.state("bad")).isEqualTo(Value.of(1));
  }

  /// K5, E34: an answer releases only its own task; nothing commits early.
  @Test
  void releasesOnlyTheTaskThatIsAnswered() {
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("said", new Reducer.Append())
                .node("plan", _ -> sendItems("ask", 3))
                .node(
                    "ask",
                    call -> {
                      calls.add("ask" + item(call));
                      return call.resume().isPresent()
                          ? set("said", item(call))
                          : ask("well?" + item(call));
                    })
                .edge("__start__", "plan"));
    run.drive();
    var open = run.openInterrupts();
    assertThat(open).hasSize(3).doesNotHaveDuplicates();
    calls.clear();

    assertThat(run.answer(open.get(1), Value.NULL)).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(calls).containsExactly("ask1");
    assertThat(run.state("said")).isEqualTo(Value.NULL);
    assertThat(run.openInterrupts()).hasSize(2);

    run.answer(open.get(2), Value.NULL);
    assertThat(run.answer(open.get(0), Value.NULL)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("said")).isEqualTo(ListValue.of(Value.of(0), Value.of(1), Value.of(2)));
  }

  /// E36: the held change is seen on resume and folded once, before the new one.
  @Test
  void foldsTheChangeOfAnInterruptOnce() {
    NodeRunner asker =
        call -> {
          calls.add(call.state().channels().toString());
          return call.resume().isPresent()
              ? set("said", Value.of("second"))
              : ask("well?", Change.update("said", Value.of("first")));
        };
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("said", new Reducer.Append())
                .node("a", asker)
                .edge("__start__", "a"));

    run.drive();
    assertThat(run.state("said")).isEqualTo(Value.NULL);
    run.answer(Value.NULL);

    assertThat(calls).containsExactly("{}", "{\"said\":[\"first\"]}");
    assertThat(run.state("said")).isEqualTo(ListValue.texts("first", "second"));
  }

  /// E35, E40: a second question of the same task has an id and a key of its own.
  @Test
  void givesEveryQuestionOfATaskItsOwnId() {
    var keys = new ArrayList<String>();
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    call -> {
                      keys.add(call.idempotencyKey());
                      return keys.size() < 3 ? ask("well?") : done();
                    })
                .edge("__start__", "a"));
    run.drive();
    var first = run.openInterrupts().getFirst();
    assertThat(run.answer(first, Value.NULL)).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.openInterrupts()).hasSize(1).doesNotContain(first);
    assertThat(run.answer(Value.NULL)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(keys).doesNotHaveDuplicates();
  }

  /// E10.3, E35: a question can be answered while a sibling still runs.
  @Test
  void takesAnAnswerWhileASiblingStillRuns() {
    var release = new CountDownLatch(1);
    var run =
        TestRuns.of(
            new TestGraph()
                .node("ask", person("review"))
                .node(
                    "slow",
                    _ -> {
                      release.await();
                      return done();
                    })
                .edge("__start__", "ask", "slow"));
    var store = run.runs().store;
    var driver = Thread.ofVirtual().start(run::drive);
    await().until(() -> !run.openInterrupts().isEmpty());

    store.answer(run.header.id(), run.openInterrupts().getFirst(), APPROVED);
    run.inbox.put(new Inbox.Signal.Nudge());
    await()
        .until(() ->
            store.recorded(run.header.id()).values().stream()
                .anyMatch(it -> it.status() instanceof TaskRecord.TaskStatus.Done));
    release.countDown();

    await().until(() -> !driver.isAlive());
    assertThat(run.head().status()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("review")).isEqualTo(APPROVED);
    assertThat(run.kinds()).doesNotContain(CheckpointKind.HELD);
  }

  /// K19, E35: no hold commits over an answer it does not know.
  @Test
  void commitsNoHoldOverAnAnswerItDoesNotKnow() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", person("a"))
                .node("b", person("b"))
                .edge("__start__", "a", "b"));
    run.drive();
    var open = run.openInterrupts();
    var store = run.runs().store;
    var racing = new RacingStore(store);
    // The second answer arrives between the first one's claim and the hold that would miss it.
    racing.beforeCommit = () -> store.answer(run.header.id(), open.get(1), Value.of(2));
    store.answer(run.header.id(), open.get(0), Value.of(1));

    assertThat(run.drive(racing)).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.last().state().channels()).hasToString("{\"a\":1,\"b\":2}");
    assertThat(run.kinds())
        .containsExactly(CheckpointKind.INPUT, CheckpointKind.HELD, CheckpointKind.FINAL);
  }

  /// Lets a test do something just before a commit.
  private static final class RacingStore implements CheckpointStore {
    private final CheckpointStore store;
    private Runnable beforeCommit = () -> {};

    RacingStore(CheckpointStore store) {
      this.store = store;
    }

    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
      beforeCommit.run();
      beforeCommit = () -> {};
      return store.commit(lease, commits);
    }

    @Override
    public void record(Lease lease, List<TaskRecord> records, List<Event> events) {
      store.record(lease, records, events);
    }

    @Override
    public RunSignals signals(Lease lease) {
      return store.signals(lease);
    }

    @Override
    public RunSignals expire(Lease lease, List<String> interrupts) {
      return store.expire(lease, interrupts);
    }
  }

  /// K20, E33: one of two parallel tasks backs off for an hour; the question can be answered now.
  @Test
  void takesAnAnswerWhileASiblingBacksOff() {
    var runs = new TestRuns();
    var run =
        runs.start(
            new TestGraph()
                .node("ask", person("review"))
                .node(
                    "flaky",
                    it -> it.attempts(2, Duration.ofHours(1)),
                    failing(1, "http_503", set("x", 1)))
                .edge("__start__", "ask", "flaky")
                .program(),
            ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.head().wakesAt()).isPresent();
    assertThat(run.answer(APPROVED)).isEqualTo(RunStatus.WAITING);
    runs.pass(Duration.ofHours(2));
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("review")).isEqualTo(APPROVED);
  }

  /// E37: an interrupt that expires fails its task, or is answered by its default.
  @Test
  void expiresAnInterrupt() {
    var runs = new TestRuns();
    var fails = expiring(runs, Optional.empty());
    var answers = expiring(runs, Optional.of(Value.of("default")));
    fails.drive();
    answers.drive();
    assertThat(fails.head().wakesAt()).isPresent();

    runs.pass(Duration.ofHours(2));

    assertThat(fails.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(fails.errorCode()).isEqualTo("interrupt_expired");
    assertThat(fails.openInterrupts()).isEmpty();
    assertThat(answers.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(answers.state("review")).isEqualTo(Value.of("default"));
  }

  private static TestRuns.TestRun expiring(TestRuns runs, Optional<Value> otherwise) {
    return runs.start(
        new TestGraph()
            .node(
                "a",
                call ->
                    call.resume()
                        .map(it -> set("review", it.answer()))
                        .orElseGet(() -> askFor(Duration.ofHours(1), otherwise)))
            .edge("__start__", "a")
            .program(),
        ObjectValue.empty());
  }

  /// E30, E33: a node may sleep; it is then run again, and told so.
  @Test
  void wakesANodeThatSleeps() {
    var runs = new TestRuns();
    NodeRunner sleeper =
        call ->
            call.woken()
                ? set("slept", 1)
                : new Outcome.Waiting(call.clock().plus(Duration.ofHours(1)));
    var run =
        runs.start(
            new TestGraph().node("a", sleeper).edge("__start__", "a").program(),
            ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    runs.pass(Duration.ofMinutes(61));
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("slept")).isEqualTo(Value.of(1));
  }

  /// E33: short waits stay in memory.
  @Test
  void sleepsShortWaitsInMemory() {
    NodeRunner sleeper =
        call ->
            call.woken() ? done() : new Outcome.Waiting(call.clock().plus(Duration.ofMillis(20)));
    var run = TestRuns.of(new TestGraph().node("a", sleeper).edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.kinds()).containsExactly(CheckpointKind.INPUT, CheckpointKind.FINAL);
  }

  /// E38: breakpoints stop between supersteps, before any task runs, and a resume passes them once.
  @Test
  void stopsAtBreakpointsAndPassesThemOnResume() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> note("a", done()))
                .node("b", _ -> note("b", done()))
                .node("c", _ -> note("c", done()))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c")
                .breakpoints(Set.of("b"), Set.of("a", "c")));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.head().breakpoint()).contains(new RunHead.Breakpoint("after", List.of("a")));
    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.head().breakpoint()).contains(new RunHead.Breakpoint("before", List.of("b")));
    assertThat(calls).containsExactly("a");
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "b", "c");
    assertThat(run.openInterrupts()).isEmpty();
  }

  /// E38: `*` lists every node, in a loop at each turn.
  @Test
  void stopsBeforeEveryNode() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> note("a", done()))
                .node("b", _ -> note("b", done()))
                .edge("__start__", "a")
                .edge("a", "b")
                .breakpoints(Set.of("*"), Set.of()));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(calls).containsExactly("a");
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// Cancel: running calls are interrupted, the run ends, open questions close.
  @Test
  void cancelsARunWhoseNodeIsRunning() {
    var started = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    _ -> {
                      started.countDown();
                      try {
                        new CountDownLatch(1).await();
                      } finally {
                        interrupted.countDown();
                      }
                      return done();
                    })
                .edge("__start__", "a"));
    var driver = Thread.ofVirtual().start(run::drive);
    await().until(() -> started.getCount() == 0);

    run.runs().store.cancel(run.header.id());
    run.inbox.put(new Inbox.Signal.Nudge());

    await().until(() -> !driver.isAlive() && interrupted.getCount() == 0);
    assertThat(run.head().status()).isEqualTo(RunStatus.CANCELLED);
    assertThat(run.events()).endsWith("run.cancelled");
  }

  /// A commit that meets the cancel flag cancels, unless the run is over.
  @Test
  void cancelsAtTheNextCommit() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> done())
                .node("b", _ -> note("b", failed("never")))
                .edge("__start__", "a")
                .edge("a", "b"));
    var store = run.runs().store;
    var racing = new RacingStore(store);
    racing.beforeCommit = () -> store.cancel(run.header.id());

    assertThat(run.drive(racing)).isEqualTo(RunStatus.CANCELLED);
    assertThat(calls).isEmpty();
  }

  /// Drain: the run is handed back, and what was done is not done again.
  @Test
  void handsARunBackWhenTheReplicaDrains() {
    var stuck = new CountDownLatch(1);
    var run =
        TestRuns.of(
            new TestGraph()
                .node("fast", _ -> note("fast", done()))
                .node(
                    "slow",
                    _ -> {
                      if (calls.contains("drained")) {
                        return done();
                      }
                      stuck.await();
                      return done();
                    })
                .edge("__start__", "fast", "slow"));
    var driver = Thread.ofVirtual().start(run::drive);
    await().until(() -> !run.runs().store.recorded(run.header.id()).isEmpty());

    run.inbox.put(new Inbox.Signal.Drain(run.runs().clock.instant()));
    await().until(() -> !driver.isAlive());

    assertThat(run.head().status()).isEqualTo(RunStatus.QUEUED);
    calls.add("drained");
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("fast", "drained");
  }
}
