package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.failed;
import static dev.superstep.engine.TestNodes.person;
import static dev.superstep.engine.TestNodes.sendItems;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.CheckpointKind;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy.Retryable;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Nodes that end the run with an error of the graph's own (definitions.md, *Additions*, `fail`).
class RunFailureTests {
  private static final NodeRunner SOLD_OUT = ends("sold_out");

  private static NodeRunner ends(String code) {
    return call ->
        new Outcome.Done(
            NodeResult.failingRun(
                new TaskError(
                    code,
                    "says " + call.task().key(),
                    Retryable.NO,
                    Optional.empty(),
                    ObjectValue.of("at", call.task().input()))));
  }

  private static TestGraph beside(NodeRunner other) {
    return new TestGraph()
        .node("other", other)
        .node("end", SOLD_OUT)
        .node("after", _ -> done())
        .edge("__start__", "other", "end")
        .edge("other", "after");
  }

  /// The superstep commits whole; nothing runs after it.
  @Test
  void endsTheRunOnceTheSuperstepHasCommitted() {
    var run = TestRuns.of(beside(_ -> set("x", 1)));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);

    assertThat(run.state("x")).isEqualTo(Value.of(1));
    assertThat(run.kinds()).containsExactly(CheckpointKind.INPUT, CheckpointKind.STEP);
    assertThat(run.head().superstep()).isEqualTo(1);
    assertThat(run.events())
        .endsWith("task.failed", "superstep.committed", "run.failed")
        .doesNotContain("run.succeeded");
    var error = run.head().error().orElseThrow();
    assertThat(error.error().code()).isEqualTo("sold_out");
    assertThat(error.error().message()).isEqualTo("says 1:end");
    assertThat(error.error().details()).isEqualTo(ObjectValue.of("at", Value.NULL));
    assertThat(error.task().orElseThrow().node()).isEqualTo(new NodeId("end"));
    assertThat(run.last().pending().activations())
        .extracting(it -> it.node().value())
        .containsExactly("after");
  }

  /// A fork of the last checkpoint must not succeed because the failing branch led nowhere.
  @Test
  void leavesNoEndBehind() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("other", _ -> done())
                .node("end", SOLD_OUT)
                .edge("__start__", "other", "end"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);

    assertThat(run.last().pending().activations()).isEmpty();
    assertThat(run.last().pending().isEnd()).isFalse();
    assertThat(run.kinds()).endsWith(CheckpointKind.STEP);
  }

  /// E11: the first in task order, whichever ended first.
  @Test
  void takesTheFirstErrorInTaskOrder() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("plan", _ -> sendItems("end", 3))
                .node("end", ends("first"))
                .node("late", ends("second"))
                .edge("__start__", "plan")
                .edge("plan", "late"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);

    assertThat(run.errorCode()).isEqualTo("first");
    assertThat(run.head().error().orElseThrow().error().details().get("at"))
        .isEqualTo(ObjectValue.of("item", Value.of(0)));
  }

  /// E33: a sibling that asks holds the superstep, and with it the end.
  @Test
  void waitsForThePeopleBesideIt() {
    var run = TestRuns.of(beside(person("said")));

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.FAILED);

    assertThat(run.errorCode()).isEqualTo("sold_out");
    assertThat(run.state("said")).isEqualTo(Value.of("yes"));
    assertThat(run.events()).containsOnlyOnce("task.failed");
  }

  /// E34: a sibling that fails holds it, too, with its own error; it is resumed, then the run ends.
  @Test
  void waitsForTheFailuresBesideIt() {
    var broken = new AtomicInteger(1);
    var run =
        TestRuns.of(beside(_ -> broken.getAndDecrement() > 0 ? failed("broken") : set("x", 1)));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("broken");
    assertThat(run.resume()).isEqualTo(RunStatus.FAILED);

    assertThat(run.errorCode()).isEqualTo("sold_out");
    assertThat(run.state("x")).isEqualTo(Value.of(1));
  }

  /// Limits and breakpoints are about what would come next, and nothing does.
  @Test
  void comesBeforeLimitsAndBreakpoints() {
    var run = TestRuns.of(beside(_ -> done()).superstepsMax(1).breakpoints(Set.of(), Set.of("*")));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("sold_out");
  }
}
