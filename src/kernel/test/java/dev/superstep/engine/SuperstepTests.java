package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.goTo;
import static dev.superstep.engine.TestNodes.item;
import static dev.superstep.engine.TestNodes.request;
import static dev.superstep.engine.TestNodes.result;
import static dev.superstep.engine.TestNodes.say;
import static dev.superstep.engine.TestNodes.send;
import static dev.superstep.engine.TestNodes.sendItems;
import static dev.superstep.engine.TestNodes.sendTexts;
import static dev.superstep.engine.TestNodes.set;
import static dev.superstep.engine.TestNodes.text;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/// Planning, running and folding of supersteps.
class SuperstepTests {

  /// S3-10: `__start__` is superstep 0, `llm_call` 1, `execute_tools` 2, `__end__` 3, and the final
  /// state is what has reached it. S1-1: what reaches a node is a map. S1-2, S3-7: a node's state
  /// goes to the next nodes, once (S3-9), and its result is kept. S1-3, E13: without an out-edge
  /// the branch reaches `__end__`. S3-3, S3-4, S3-6: the input is there from superstep 0 on, and a
  /// node that nothing reaches does not run.
  @Test
  void numbersTheSuperstepsFromStartToEnd() {
    var calls = Collections.synchronizedList(new ArrayList<String>());
    var run =
        TestRuns.of(
            new TestGraph()
                .node("llm_call", call -> seen(calls, call, set("answer", 1)))
                .node("execute_tools", call -> seen(calls, call, set("tools", 2)))
                .node("nowhere", call -> seen(calls, call, set("never", 3)))
                .edge("__start__", "llm_call")
                .edge("llm_call", "execute_tools"),
            ObjectValue.of("in", Value.of(0)));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls)
        .containsExactly("1 llm_call {\"in\":0}", "2 execute_tools {\"answer\":1,\"in\":0}");
    assertThat(run.kinds())
        .containsExactly(CheckpointKind.INPUT, CheckpointKind.STEP, CheckpointKind.FINAL);
    assertThat(run.last().superstep()).isEqualTo(2);
    assertThat(run.head().superstep()).isEqualTo(3);
    assertThat(run.last().pending().isEnd()).isTrue();
    assertThat(run.last().state().channels()).hasToString("{\"answer\":1,\"in\":0,\"tools\":2}");
    var first = run.runs().store.checkpoints(run.header.id()).get(1);
    assertThat(first.delta().tasks())
        .singleElement()
        .satisfies(it -> assertThat(it.status()).isInstanceOf(TaskRecord.TaskStatus.Done.class));
  }

  private static Outcome seen(List<String> calls, NodeCall call, Outcome outcome) {
    var key = call.task().key();
    calls.add("%d %s %s".formatted(key.superstep(), key.node(), call.state().channels()));
    return outcome;
  }

  /// E2, E10.2: all tasks see the same frozen state, dispatched or not. S2-5, S2-7, S2-14: each
  /// dispatch makes one task with its own input, a plain activation has none. S2-8, S2-21: an input
  /// is no state. S2-4, S2-15: the changes are folded by the reducers.
  @Test
  void showsEveryTaskTheFrozenStateAndItsOwnInput() {
    var seen = Collections.synchronizedList(new ArrayList<String>());
    NodeRunner worker =
        call -> {
          var key = call.task().key();
          seen.add("%s %s %s".formatted(key.node(), call.task().input(), call.state().channels()));
          return set("count", 1);
        };
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("count", new Reducer.Sum())
                .node(
                    "plan",
                    _ ->
                        new Outcome.Done(
                            result(
                                Change.update("count", Value.of(5)),
                                null,
                                List.of(
                                    request("work", "topic", Value.of("cats")),
                                    request("other", "topic", Value.of("birds")),
                                    request("work", "topic", Value.of("dogs"))))))
                .node("work", worker)
                .node("other", worker)
                .node("plain", worker)
                .edge("__start__", "plan")
                .edge("plan", "plain"));

    run.drive();

    assertThat(seen)
        .containsExactlyInAnyOrder(
            "work {\"topic\":\"cats\"} {\"count\":5}",
            "work {\"topic\":\"dogs\"} {\"count\":5}",
            "other {\"topic\":\"birds\"} {\"count\":5}",
            "plain Null[] {\"count\":5}");
    assertThat(run.last().state().channels()).hasToString("{\"count\":9}");
  }

  /// E10.1, S2-12, S2-18, K11: dispatches replace the plain activation of their node and of no
  /// other. S2-19, C8: what they lead to runs once.
  @Test
  void runsADispatchedNodeOncePerDispatchAndTheOthersOnce() {
    var calls = Collections.synchronizedList(new ArrayList<String>());
    var run =
        TestRuns.of(
            new TestGraph()
                .node("planner", _ -> sendTexts("task_executor", "task", "cats", "dogs", "birds"))
                .node("llm_node", call -> note(calls, "llm:" + Canonical.text(call.task().input())))
                .node("task_executor", call -> note(calls, "task:" + text(call, "task")))
                .node("aggregate", _ -> note(calls, "aggregate"))
                .edge("__start__", "planner")
                .edge("planner", "llm_node", "task_executor")
                .edge("task_executor", "aggregate"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls)
        .containsExactlyInAnyOrder("llm:null", "task:cats", "task:dogs", "task:birds", "aggregate")
        .last()
        .isEqualTo("aggregate");
    assertThat(run.last().superstep()).isEqualTo(3);
  }

  private static Outcome note(List<String> calls, String call) {
    calls.add(call);
    return done();
  }

  /// S2-17, S2-12, E10.1, E11: what is pending, plain and dispatched in any order, becomes tasks:
  /// by node as declared, dispatches of a node as they were emitted, each with its input.
  @Test
  void plansDispatchesByNodeInTheirOrder() {
    var graph =
        new TestGraph()
            .node("first", _ -> done())
            .node("second", _ -> done())
            .node("third", _ -> done())
            .program()
            .graph();

    var tasks =
        new Planner(graph)
            .plan(
                List.of(
                    sent("second", "b"),
                    new Activation.Plain(new NodeId("second")),
                    sent("first", "z"),
                    new Activation.Plain(new NodeId("third")),
                    sent("second", "a")),
                4);

    assertThat(tasks)
        .extracting(it -> it.key() + " " + it.input())
        .containsExactly(
            new TaskKey(4, new NodeId("first"), "z") + " {\"of\":\"z\"}",
            new TaskKey(4, new NodeId("second"), "b") + " {\"of\":\"b\"}",
            new TaskKey(4, new NodeId("second"), "a") + " {\"of\":\"a\"}",
            new TaskKey(4, new NodeId("third"), null) + " " + Value.NULL);
  }

  private static Activation sent(String node, String id) {
    return new Activation.Sent(
        new Dispatch(
            id, new NodeId(node), ObjectValue.of("of", Value.of(id)), ObjectValue.empty()));
  }

  /// S1-7, E4: only what a node says in its result is a message. What looks like one in the state
  /// is data, and so is what looks like an operator.
  @Test
  void takesNothingInTheStateForAMessage() {
    var calls = Collections.synchronizedList(new ArrayList<String>());
    var look =
        ObjectValue.of("__dispatch__", Value.TRUE)
            .plus("node", Value.of("other"))
            .plus("input", ObjectValue.empty());
    var operator = ObjectValue.of("overwrite", ListValue.texts("x"));
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("said", new Reducer.Append())
                .node("a", _ -> set("said", ListValue.of(look, operator)))
                .node("other", _ -> note(calls, "other"))
                .edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).isEmpty();
    assertThat(run.state("said")).isEqualTo(ListValue.of(look, operator));
  }

  /// S3-1, S3-11: one program drives every run, and keeps nothing of them.
  @Test
  void keepsNothingBetweenRuns() {
    var program =
        new TestGraph()
            .channel("n", new Reducer.Sum())
            .node("a", call -> set("saw", requireNonNull(call.state().get("in"))))
            .node("b", _ -> set("n", 1))
            .edge("__start__", "a")
            .edge("a", "b")
            .program();
    var runs = new TestRuns();

    for (int i = 0; i < 2; i++) {
      var run = runs.start(program, ObjectValue.of("in", Value.of(i)));
      assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
      assertThat(run.last().state().channels())
          .hasToString("{\"in\":%1$d,\"n\":1,\"saw\":%1$d}".formatted(i));
    }
  }

  /// E5: equal dispatches are no duplicates, and a node need not look at its input (S2-9). S2-1:
  /// each has an id of its own, its input and its metadata; S2-20, E6: they are in the checkpoint
  /// as they were emitted.
  @Test
  void runsEqualDispatchesTwice() {
    var calls = new AtomicInteger();
    var twice =
        new DispatchRequest(
            "work",
            ObjectValue.of("k", Value.of(1)),
            null,
            ObjectValue.of("from", Value.of("plan")));
    var run =
        TestRuns.of(
            new TestGraph()
                .node("plan", _ -> send(twice, twice))
                .node(
                    "work",
                    _ -> {
                      calls.incrementAndGet();
                      return done();
                    })
                .edge("__start__", "plan"));

    run.drive();

    assertThat(calls).hasValue(2);
    var stored = run.runs().store.checkpoints(run.header.id()).get(1).after();
    var sent =
        stored.pending().activations().stream()
            .map(it -> ((Activation.Sent) it).dispatch())
            .toList();
    assertThat(sent).extracting(Dispatch::id).hasSize(2).doesNotHaveDuplicates();
    assertThat(sent)
        .allSatisfy(it -> {
          assertThat(it.node()).hasToString("work");
          assertThat(it.input()).hasToString("{\"k\":1}");
          assertThat(it.metadata()).hasToString("{\"from\":\"plan\"}");
        });
  }

  /// E5: the later emitter of an id that is taken fails.
  @Test
  void failsTheLaterEmitterOfADispatchIdThatIsTaken() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> send(request("work", "same")))
                .node("b", _ -> send(request("work", "same")))
                .node("work", _ -> done())
                .edge("__start__", "a", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("duplicate_dispatch_id");
    assertThat(run.head().error().orElseThrow().task().orElseThrow().node()).hasToString("b");
  }

  /// E5: generated dispatch ids do not depend on the run's id.
  @Test
  void derivesTheSameDispatchIdsInEveryRun() {
    var ids = Collections.synchronizedList(new ArrayList<String>());
    var graph =
        new TestGraph()
            .node("plan", _ -> sendItems("work", 3))
            .node(
                "work",
                call -> {
                  ids.add(String.valueOf(call.task().key().dispatchId()));
                  return done();
                })
            .edge("__start__", "plan")
            .program();
    var runs = new TestRuns();

    runs.start(graph, ObjectValue.empty()).drive();
    runs.start(graph, ObjectValue.empty()).drive();

    assertThat(ids).hasSize(6);
    assertThat(ids.subList(0, 3)).containsExactlyInAnyOrderElementsOf(ids.subList(3, 6));
  }

  /// E11, S0-5, S0-6, S0-7, C12, K18: blocks in task order, whatever order tasks end in.
  @Test
  void foldsInTaskOrderWhateverOrderTasksEndIn() {
    System.out.println("seeds of the orders: 1 to 100");
    LongStream.rangeClosed(1, 100).forEach(SuperstepTests::foldsInTaskOrder);
  }

  private static void foldsInTaskOrder(long seed) {
    var turns = new Turns(seed, "b", "a", "c");
    NodeRunner speaker =
        call -> {
          var name = call.task().key().node().value();
          turns.await(name);
          return say(name + "1", name + "2");
        };
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("said", new Reducer.BlockAppend())
                .node("b", speaker)
                .node("a", speaker)
                .node("c", speaker)
                .edge("__start__", "a", "b", "c"),
            ObjectValue.of("said", ListValue.texts("m0")));

    run.drive();

    assertThat(run.state("said"))
        .as("seed %d", seed)
        .isEqualTo(ListValue.texts("m0", "b1", "b2", "a1", "a2", "c1", "c2"));
  }

  /// Lets nodes end one at a time, in an order drawn from a seed.
  private static final class Turns {
    private final List<String> order;

    Turns(long seed, String... nodes) {
      order = new ArrayList<>(List.of(nodes));
      Collections.shuffle(order, new Random(seed));
    }

    synchronized void await(String node) throws InterruptedException {
      while (!node.equals(order.getFirst())) {
        wait();
      }
      order.removeFirst();
      notifyAll();
    }
  }

  /// E10.2, C9: tasks of one superstep run at the same time.
  @Test
  void runsTheTasksOfASuperstepAtTheSameTime() {
    var together = new CyclicBarrier(5);
    var run =
        TestRuns.of(
            new TestGraph()
                .node("plan", _ -> sendItems("work", 5))
                .node(
                    "work",
                    _ -> {
                      together.await();
                      return done();
                    })
                .edge("__start__", "plan"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// S2-22: dispatches to different nodes run at the same time, however serial each node is.
  @Test
  void runsDispatchesOfDifferentNodesSideBySide() {
    var together = new CyclicBarrier(2);
    NodeRunner work =
        _ -> {
          together.await(10, TimeUnit.SECONDS);
          return done();
        };
    var requests = new ArrayList<DispatchRequest>();
    for (int i = 0; i < 3; i++) {
      requests.add(request("one", "i", Value.of(i)));
      requests.add(request("other", "i", Value.of(i)));
    }
    var run =
        TestRuns.of(
            new TestGraph()
                .node("plan", _ -> send(requests.toArray(DispatchRequest[]::new)))
                .node("one", it -> it.atMost(1), work)
                .node("other", it -> it.atMost(1), work)
                .edge("__start__", "plan"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// E12, K10, S2-6: a bound delays tasks, keeps their order and drops none.
  @Test
  void runsTenThousandDispatchesOneAtATimeInOrder() {
    var running = new AtomicInteger();
    var most = new AtomicInteger();
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("said", new Reducer.Append())
                .node("plan", _ -> sendItems("work", 10_000))
                .node(
                    "work",
                    it -> it.atMost(1),
                    call -> {
                      most.accumulateAndGet(running.incrementAndGet(), Math::max);
                      Thread.onSpinWait();
                      running.decrementAndGet();
                      return set("said", item(call));
                    })
                .edge("__start__", "plan"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(most).hasValue(1);
    assertThat(run.state("said"))
        .isEqualTo(ListValue.of(IntStream.range(0, 10_000).mapToObj(Value::of).toList()));
  }

  /// K12: three workers add 1 to a counter. S1-8, S1-9, S1-12: what reaches a node on several edges
  /// is merged when it runs, once: of one key the later in task order wins, others are united.
  @Test
  void mergesWhatReachesANodeOnSeveralEdges() {
    var calls = Collections.synchronizedList(new ArrayList<String>());
    NodeRunner worker =
        call -> {
          var name = call.task().key().node().value();
          return new Outcome.Done(
              NodeResult.of(
                  Change.update(
                      ObjectValue.of("plain", Value.of(1))
                          .plus("summed", Value.of(1))
                          .plus("last", Value.of(name))
                          .plus("of_" + name, Value.of(1)))));
        };
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("summed", new Reducer.Sum())
                .node("a", worker)
                .node("b", worker)
                .node("c", worker)
                .node("d", call -> seen(calls, call, done()))
                .edge("__start__", "c", "b", "a")
                .edge("a", "d")
                .edge("b", "d")
                .edge("c", "d"));

    run.drive();

    assertThat(calls)
        .containsExactly(
            "2 d {\"last\":\"c\",\"of_a\":1,\"of_b\":1,\"of_c\":1,\"plain\":1,\"summed\":3}");
  }

  /// K3: what is equal to the value before is a change all the same.
  @Test
  void keepsAMessageThatEqualsTheLastOneAndAnIncrementOfOneOnOne() {
    NodeRunner speaker =
        _ ->
            new Outcome.Done(
                NodeResult.of(
                    Change.update(
                        ObjectValue.of("said", ListValue.texts("hi")).plus("sum", Value.of(1)))));
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("said", new Reducer.Append())
                .channel("sum", new Reducer.Sum())
                .node("a", speaker)
                .node("b", speaker)
                .edge("__start__", "a")
                .edge("a", "b"));

    run.drive();

    assertThat(run.state("said")).isEqualTo(ListValue.texts("hi", "hi"));
    assertThat(run.state("sum")).isEqualTo(Value.of(2));
  }

  /// E14, K13: a limit of n supersteps lets n supersteps run; a higher one continues.
  @Test
  void failsAtTheLimitOfSuperstepsAndContinuesWithAHigherOne() {
    var graph =
        new TestGraph()
            .channel("n", new Reducer.Sum())
            .node("loop", _ -> set("n", 1))
            .edge("__start__", "loop")
            .when("loop", scope -> !TestNodes.at(scope.get("state"), "n", Value.of(8)), "loop")
            .superstepsMax(5);
    var run = TestRuns.of(graph);

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("max_supersteps_exceeded");
    assertThat(run.state("n")).isEqualTo(Value.of(5));

    assertThat(run.resume(new TestGraph().superstepsMax(8).program().graph().settings().limits()))
        .isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("n")).isEqualTo(Value.of(8));
  }

  /// E15: limits of dispatches and sizes fail the task that crosses them, and nothing is lost.
  @Test
  void failsTheTaskThatCrossesALimit() {
    var limits =
        new EngineLimits(100, 16, 3, 100, 200, 1_000, EngineLimits.DEFAULT.timeoutDefault());
    var wide =
        new TestRuns(limits)
            .start(
                new TestGraph()
                    .node("a", _ -> sendItems("w", 2))
                    .node("b", _ -> sendItems("w", 2))
                    .node("w", _ -> done())
                    .edge("__start__", "a", "b")
                    .program(),
                ObjectValue.empty());
    var large =
        new TestRuns(limits)
            .start(
                new TestGraph()
                    .node("a", _ -> set("x", Value.of("x".repeat(120))))
                    .node("b", _ -> set("y", Value.of("y".repeat(120))))
                    .edge("__start__", "a", "b")
                    .program(),
                ObjectValue.empty());

    assertThat(wide.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(wide.errorCode()).isEqualTo("dispatch_limit_exceeded");
    assertThat(wide.head().error().orElseThrow().task().orElseThrow().node()).hasToString("b");
    assertThat(large.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(large.errorCode()).isEqualTo("state_too_large");
    assertThat(large.head().error().orElseThrow().task().orElseThrow().node()).hasToString("b");
  }

  /// E15: a result that is too large fails its task, for good.
  @Test
  void failsATaskWhoseResultIsTooLarge() {
    var limits =
        new EngineLimits(100, 16, 3, 100, 1 << 20, 1_000, EngineLimits.DEFAULT.timeoutDefault());
    var run =
        new TestRuns(limits)
            .start(
                new TestGraph()
                    .node("a", _ -> set("x", Value.of("x".repeat(2_000))))
                    .edge("__start__", "a")
                    .program(),
                ObjectValue.empty());

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("result_too_large");
  }

  /// E26, K15: `goto` replaces the edges, the update stays; several targets run in parallel.
  @Test
  void followsAGoToInsteadOfTheEdges() {
    var calls = Collections.synchronizedList(new ArrayList<String>());
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> goTo(Change.update("x", Value.of(1)), "c", "d"))
                .node("b", _ -> note(calls, "b"))
                .node("c", _ -> note(calls, "c"))
                .node("d", _ -> goTo(Change.NONE))
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("d", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("c");
    assertThat(run.state("x")).isEqualTo(Value.of(1));
    assertThat(run.last().superstep()).isEqualTo(2);
  }
}
