package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.failed;
import static dev.superstep.engine.TestNodes.item;
import static dev.superstep.engine.TestNodes.sendItems;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.Node;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ObjectValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Policies that a task has for what it dispatches, and how much is told of that (E54).
class OwnDispatchPolicyTests {
  private static Outcome under(Outcome sending, DispatchPolicy policy) {
    return new Outcome.Done(((Outcome.Done) sending).result().under(policy));
  }

  private static TestGraph computed(Node.Routing routing, DispatchPolicy policy, NodeRunner work) {
    return new TestGraph()
        .channel("won", new Reducer.Append())
        .node("plan", it -> it, routing, _ -> under(sendItems("work", 5), policy))
        .node("work", work)
        .node("join", FanOutTests::outcomes)
        .edge("__start__", "plan")
        .edge("work", "join");
  }

  @Test
  void goesByThePolicyThatATaskHasForItsDispatches() {
    var policy = new DispatchPolicy(2, Optional.empty(), 1);
    var run = TestRuns.of(computed(Node.Routing.DEFAULT, policy, FanOutTests::won));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("won")).isEqualTo(FanOutTests.items(0, 1));
    assertThat(run.state("cancelled")).isEqualTo(FanOutTests.items(2, 3, 4));
  }

  @Test
  void prefersThePolicyOfTheTaskToThatOfItsNode() {
    var tolerant = new DispatchPolicy(0, Optional.of(new BigDecimal("0.4")), 0);
    var run =
        TestRuns.of(
            computed(
                FanOutTests.under(1, "0", 1),
                tolerant,
                call -> item(call) > 2 ? failed("odd") : FanOutTests.won(call)));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    assertThat(run.state("won")).isEqualTo(FanOutTests.items(0, 1, 2));
    assertThat(run.state("failed")).isEqualTo(FanOutTests.items(3, 4));
  }

  @Test
  void failsTheTaskWhoseOwnPolicyAsksForMoreThanItSends() {
    var run =
        TestRuns.of(
            computed(
                Node.Routing.DEFAULT,
                new DispatchPolicy(6, Optional.empty(), 0),
                FanOutTests::won));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);

    assertThat(run.errorCode()).isEqualTo("too_few_dispatches");
  }

  private static NodeRunner sending(int count, String metadata) {
    var requests =
        IntStream.range(0, count)
            .mapToObj(it ->
                new DispatchRequest(
                    "work", ObjectValue.empty(), null, ObjectValue.of("of", metadata)))
            .toArray(DispatchRequest[]::new);
    return _ -> TestNodes.send(requests);
  }

  private static TestRuns.TestRun telling(String metadata, int stateBytesMax) {
    var limits =
        new EngineLimits(100, 256, 1_000, 1_000, stateBytesMax, 4L << 20, Duration.ofDays(1));
    var graph =
        new TestGraph()
            .node("plan", it -> it, FanOutTests.under(0, "", 0), sending(10, metadata))
            .node("work", _ -> done())
            .edge("__start__", "plan");
    return new TestRuns(limits).start(graph.program(), ObjectValue.empty());
  }

  /// What expressions can read of the outcomes is bounded before anything is dispatched.
  @Test
  void failsTheTaskOfWhoseDispatchesOutcomesWouldTellTooMuch() {
    var small = telling("x", 4_000);
    assertThat(small.drive()).isEqualTo(RunStatus.SUCCEEDED);
    var large = telling("x".repeat(500), 4_000);

    assertThat(large.drive()).isEqualTo(RunStatus.FAILED);

    assertThat(large.errorCode()).isEqualTo("outcomes_too_large");
  }

  @Test
  void tellsTheBeginningOfLongMessages() {
    var error = TaskError.permanent("odd", "\ud83d\ude00".repeat(5_000));
    var run =
        TestRuns.of(
            FanOutTests.fanOut(
                3_000, FanOutTests.under(0, "3000", 0), _ -> new Outcome.Failed(error)));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);

    var messages =
        ((ObjectValue) run.state("all"))
            .listOrEmpty("failed")
            .items(ObjectValue.class)
            .map(it -> it.objectOrEmpty("error").textOrEmpty("message"))
            .toList();
    assertThat(messages).hasSize(3_000);
    assertThat(messages.getFirst()).isEqualTo("\ud83d\ude00".repeat(500));
    assertThat(messages.getLast()).isEmpty();
    assertThat(messages.stream().mapToInt(String::length).sum()).isEqualTo(1 << 20);
  }
}
