package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.ask;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.failed;
import static dev.superstep.engine.TestNodes.item;
import static dev.superstep.engine.TestNodes.sendItems;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Node;
import dev.superstep.state.Change;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// How far dispatches have to get, and what becomes of the others (E54).
class FanOutTests {
  private final List<Long> called = Collections.synchronizedList(new ArrayList<>());

  static Node.Routing under(int least, String tolerated, int most) {
    var policy =
        new DispatchPolicy(
            least,
            tolerated.isEmpty() ? Optional.empty() : Optional.of(new BigDecimal(tolerated)),
            most);
    return new Node.Routing(
        Node.EdgeMode.ALL, Set.of(), Optional.empty(), Node.OnNoMatch.END, Optional.of(policy));
  }

  /// `plan` sends so many items to `work`, and `join` writes down how they ended.
  static TestGraph fanOut(int items, Node.Routing routing, NodeRunner work) {
    return fanOut(items, routing, it -> it, work);
  }

  private static TestGraph fanOut(
      int items, Node.Routing routing, UnaryOperator<TestGraph.Policies> policy, NodeRunner work) {
    return new TestGraph()
        .channel("won", new Reducer.Append())
        .node("plan", it -> it, routing, _ -> sendItems("work", items))
        .node("work", policy, work)
        .node("join", FanOutTests::outcomes)
        .edge("__start__", "plan")
        .edge("work", "join");
  }

  /// The places of those that have succeeded, failed and were cancelled.
  static Outcome outcomes(NodeCall call) {
    var outcomes = (ObjectValue) call.get("outcomes");
    var change = ObjectValue.empty();
    for (var list : List.of("succeeded", "failed", "cancelled")) {
      var places =
          outcomes
              .listOrEmpty(list)
              .items(ObjectValue.class)
              .map(it -> it.getOr("index", Value.NULL))
              .toList();
      change = change.plus(list, ListValue.of(places));
    }
    return new Outcome.Done(NodeResult.of(Change.update(change.plus("all", outcomes))));
  }

  static Outcome won(NodeCall call) {
    return set("won", ListValue.of(Value.of(item(call))));
  }

  static ListValue items(long... items) {
    var list = ListValue.empty();
    for (long item : items) {
      list = list.plus(Value.of(item));
    }
    return list;
  }

  /// Until somebody interrupts it.
  private static Outcome never() throws InterruptedException {
    new CountDownLatch(1).await();
    return done();
  }

  @Test
  void endsWhatRunsOnceTheFirstHasWon() {
    var begun = new CountDownLatch(5);
    var run =
        TestRuns.of(
            fanOut(
                5,
                under(1, "", 0),
                call -> {
                  begun.countDown();
                  if (item(call) != 3) {
                    return never();
                  }
                  begun.await();
                  return won(call);
                }));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("won")).isEqualTo(items(3));
    assertThat(run.state("succeeded")).isEqualTo(items(3));
    assertThat(run.state("cancelled")).isEqualTo(items(0, 1, 2, 4));
    assertThat(run.events()).filteredOn("task.cancelled"::equals).hasSize(4);
  }

  @Test
  void doesNotBeginWhatIsNotNeeded() {
    var run =
        TestRuns.of(
            fanOut(
                9,
                under(2, "", 1),
                call -> {
                  called.add(item(call));
                  return item(call) == 1 ? failed("odd") : won(call);
                }));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(called).containsExactly(0L, 1L, 2L);
    assertThat(run.state("won")).isEqualTo(items(0, 2));
    assertThat(run.state("failed")).isEqualTo(items(1));
    assertThat(run.state("cancelled")).isEqualTo(items(3, 4, 5, 6, 7, 8));
  }

  @Test
  void goesOnFromWhatWasDoneWhenTheFailureIsMended() {
    var mended = new AtomicBoolean();
    var run =
        TestRuns.of(
            fanOut(
                4,
                under(0, "0", 1),
                call -> {
                  called.add(item(call));
                  return item(call) == 1 && !mended.get() ? failed("odd") : won(call);
                }));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("odd");
    assertThat(called).containsExactly(0L, 1L);

    mended.set(true);
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(called).containsExactly(0L, 1L, 1L, 2L, 3L);
    assertThat(run.state("won")).isEqualTo(items(0, 1, 2, 3));
    assertThat(run.state("cancelled")).isEqualTo(items());
  }

  /// A person who declares the failed one done has the others run.
  @Test
  void goesOnWhenTheFailureIsResolvedByHand() {
    var run =
        TestRuns.of(
            fanOut(
                3,
                under(0, "0", 1),
                call -> {
                  called.add(item(call));
                  return item(call) == 0 ? failed("odd") : won(call);
                }));
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);

    var failed =
        run.last().held().keySet().stream()
            .filter(it ->
                it.toString()
                    .equals(
                        run.head().error().orElseThrow().task().map(TaskKey::toString).orElse("")))
            .findFirst()
            .orElseThrow();
    run.runs().store.resolve(run.header.id(), failed, Change.update("won", items(7)));
    assertThat(run.resume()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(called).containsExactly(0L, 1L, 2L);
    assertThat(run.state("won")).isEqualTo(items(7, 1, 2));
  }

  @Test
  void toleratesAShareOfFailures() {
    var run =
        TestRuns.of(
            fanOut(4, under(0, "0.25", 0), call -> item(call) == 2 ? failed("odd") : won(call)));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("won")).isEqualTo(items(0, 1, 3));
    assertThat(((ObjectValue) run.state("all")).listOrEmpty("failed"))
        .singleElement()
        .satisfies(it ->
            assertThat(((ObjectValue) it).objectOrEmpty("error").get("code"))
                .isEqualTo(Value.of("odd")));
    assertThat(run.events()).contains("task.handled").doesNotContain("task.failed");
  }

  @Test
  void reachesWhatFollowsThoughEveryDispatchHasFailed() {
    var run = TestRuns.of(fanOut(3, under(0, "3", 0), _ -> failed("odd")));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("failed")).isEqualTo(items(0, 1, 2));
  }

  /// One failure more than is tolerated, of nodes whose failures the graph takes care of.
  @Test
  void stopsEarlyAndGoesOnWhereFailuresAreHandled() {
    var run =
        TestRuns.of(
            fanOut(
                5,
                under(0, "1", 1),
                TestGraph.Policies::goesOn,
                call -> {
                  called.add(item(call));
                  return item(call) > 0 ? failed("odd") : won(call);
                }));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(called).containsExactly(0L, 1L, 2L);
    assertThat(run.state("failed")).isEqualTo(items(1, 2));
    assertThat(run.state("cancelled")).isEqualTo(items(3, 4));
  }

  @Test
  void failsTheTaskThatSendsLessThanHasToSucceed() {
    var run = TestRuns.of(fanOut(2, under(3, "", 0), FanOutTests::won));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);

    assertThat(run.errorCode()).isEqualTo("too_few_dispatches");
  }

  /// Before anything else is written: an answer that comes later is too late.
  @Test
  void closesTheQuestionOfWhatIsNotNeeded() {
    var run =
        TestRuns.of(
            fanOut(
                2,
                under(1, "", 0),
                call -> call.resume().isEmpty() ? ask("asks " + item(call)) : won(call)));
    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    var questions = run.openInterrupts();
    assertThat(questions).hasSize(2);
    var store = run.runs().store;
    store.answer(run.header.id(), questions.getLast(), Value.TRUE);
    var closed = new ArrayList<String>();

    assertThat(run.drive(new ClosingStore(store, closed::addAll))).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(closed).containsExactly(questions.getFirst());
    assertThat(run.openInterrupts()).isEmpty();
    assertThat(run.state("won")).isEqualTo(items(1));
    assertThat(run.state("cancelled")).isEqualTo(items(0));
  }

  /// E36: a question that was cut off holds its change no more; it is asked again with it.
  @Test
  void countsTheChangeOfAQuestionOnceThatIsAskedAgain() {
    var mended = new AtomicBoolean();
    var run =
        TestRuns.of(
            fanOut(
                2,
                under(0, "0", 1),
                call -> {
                  if (item(call) == 0) {
                    return call.resume().isPresent()
                        ? done()
                        : ask("well?", Change.update("won", items(9)));
                  }
                  return mended.get() ? won(call) : failed("odd");
                }));
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.openInterrupts()).isEmpty();

    mended.set(true);
    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("won")).isEqualTo(items(9, 1));
  }

  /// What has decided is on disk before a question is closed by it.
  @Test
  void decidesAgainAlikeAfterACrashBehindTheEndOfAQuestion() {
    var run =
        TestRuns.of(
            fanOut(
                2,
                under(1, "", 0),
                call -> {
                  called.add(item(call));
                  return call.resume().isEmpty()
                      ? ask("asks " + item(call))
                      : called.size() > 3 ? failed("odd") : won(call);
                }));
    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    var store = run.runs().store;
    store.answer(run.header.id(), run.openInterrupts().getLast(), Value.TRUE);

    assertThatThrownBy(() ->
            run.drive(
                new ClosingStore(
                    store,
                    _ -> {
                      throw new IllegalStateException("the process dies");
                    })))
        .isInstanceOf(IllegalStateException.class);
    assertThat(run.openInterrupts()).isEmpty();

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("won")).isEqualTo(items(1));
    assertThat(called).hasSize(3);
  }

  /// @param behind called when questions have been closed
  private record ClosingStore(CheckpointStore store, Consumer<List<String>> behind)
      implements CheckpointStore {
    @Override
    public CommitResult commit(Lease lease, List<Commit> commits) {
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
      var signals = store.expire(lease, interrupts);
      behind.accept(interrupts);
      return signals;
    }
  }

  /// Two nodes, one of them is enough: both count as run.
  @Test
  void firesAJoinOfNodesOfWhichOneWasCancelled() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node(
                    "plan",
                    it -> it,
                    under(1, "", 1),
                    _ ->
                        TestNodes.send(
                            TestNodes.request("a", "one"), TestNodes.request("b", "two")))
                .node("a", _ -> done())
                .node("b", _ -> done())
                .node("join", FanOutTests::outcomes)
                .edge("__start__", "plan")
                .join(Edge.Join.Mode.ALL, List.of("a", "b"), "join"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("cancelled")).isEqualTo(items(1));
  }

  @Test
  void endsTheBranchWhereNothingFollowsToleratedFailures() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("plan", it -> it, under(0, "2", 0), _ -> sendItems("work", 2))
                .node("work", _ -> failed("odd"))
                .edge("__start__", "plan"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// A success that cannot be used makes one failure too many, whichever comes first.
  @Test
  void countsAResultThatCannotBeUsedAsAFailure() {
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("sum", new Reducer.Sum())
                .node("plan", it -> it, under(0, "1", 1), _ -> sendItems("work", 2))
                .node(
                    "work",
                    call -> item(call) == 0 ? failed("odd") : set("sum", Value.of("no number")))
                .onError("work", "mend", "reducer_failed")
                .node("mend", _ -> done())
                .edge("__start__", "plan"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);

    assertThat(run.errorCode()).isEqualTo("odd");
  }

  /// A failure that is tolerated is not called again, whatever a resume is for.
  @Test
  void callsAToleratedFailureNotAgainBesideAQuestion() {
    var run =
        TestRuns.of(
            fanOut(
                2,
                under(0, "1", 0),
                call -> {
                  called.add(item(call));
                  return item(call) == 0
                      ? failed("odd")
                      : call.resume().isEmpty() ? ask("well?") : won(call);
                }));
    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.resume()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.answer(Value.TRUE)).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(called).containsOnlyOnce(0L);
    assertThat(run.state("failed")).isEqualTo(items(0));
  }

  private static String sentBy(NodeCall call) {
    var emitter = FanOuts.emitter(call.task());
    return emitter == null ? "" : emitter.node().value();
  }

  /// Each of two tasks sends under a bound of its own, to the same node. How many run is counted as
  /// the driver begins and ends them, whenever their threads get to it.
  @Test
  void boundsTheDispatchesOfEachTaskForThemselves() {
    var senders = new ConcurrentHashMap<TaskKey, String>();
    var run =
        TestRuns.of(
            new TestGraph()
                .node("two", it -> it, under(0, "", 2), _ -> sendItems("work", 20))
                .node("three", it -> it, under(0, "", 3), _ -> sendItems("work", 20))
                .node(
                    "work",
                    call -> {
                      senders.put(call.task().key(), sentBy(call));
                      return done();
                    })
                .edge("__start__", "two", "three"));
    var changes = Collections.synchronizedList(new ArrayList<RunningChange>());
    run.observer =
        (_, type, task, _) -> {
          if (type.equals("task.started") || type.equals("task.succeeded")) {
            changes.add(new RunningChange(task, type.equals("task.started") ? 1 : -1));
          }
        };

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(senders).hasSize(40);
    assertThat(peak(changes, it -> "two".equals(senders.get(it)))).isEqualTo(2);
    assertThat(peak(changes, it -> "three".equals(senders.get(it)))).isEqualTo(3);
  }

  private record RunningChange(TaskKey task, int by) {}

  private static int peak(List<RunningChange> changes, Predicate<TaskKey> counts) {
    int running = 0;
    int peak = 0;
    for (var change : changes) {
      running += counts.test(change.task()) ? change.by() : 0;
      peak = Math.max(peak, running);
    }
    return peak;
  }

  /// The outcomes stay until a join has fired that still waits for others.
  @Test
  void keepsTheOutcomesForAJoinThatFiresLater() {
    var graph =
        new TestGraph()
            .channel("won", new Reducer.Append())
            .node("plan", it -> it, under(1, "", 1), _ -> sendItems("work", 2))
            .node("work", FanOutTests::won)
            .node("slow", _ -> done())
            .node("slower", _ -> done())
            .node("slowest", _ -> done())
            .node("join", FanOutTests::outcomes)
            .edge("__start__", "plan", "slow")
            .edge("slow", "slower")
            .edge("slower", "slowest")
            .join(Edge.Join.Mode.ALL, List.of("work", "slowest"), "join");
    var run = TestRuns.of(graph);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("succeeded")).isEqualTo(items(0));
    assertThat(run.state("cancelled")).isEqualTo(items(1));
    assertThat(run.last().pending().outcomes()).isEqualTo(ObjectValue.empty());
  }
}
