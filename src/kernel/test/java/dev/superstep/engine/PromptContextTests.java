package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.RunStart.StartState;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.state.Change;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The prompt context of a run (P1–P3).
class PromptContextTests {
  private static final StartState WITH_CONTEXT =
      new StartState(GraphState.empty(), Optional.of(PromptContext.EMPTY));

  private static NodeRunner speaker(String model) {
    return call ->
        new Outcome.Done(
            new NodeResult(
                Change.NONE,
                null,
                List.of(),
                ObjectValue.of("llm.model", Value.of(model)),
                "asks " + call.task().key().node(),
                "answers " + model));
  }

  private static TestRuns.TestRun parallel(StartState origin) {
    return new TestRuns()
        .start(
            new TestGraph()
                .node("a", speaker("first"))
                .node("b", speaker("second"))
                .edge("__start__", "a", "b")
                .program(),
            ObjectValue.empty(),
            origin);
  }

  /// P2, P3, S4-2: entries in task order; of a variable, the later task wins, with an event.
  @Test
  void addsVariablesAndEntriesInTaskOrder() {
    var run = parallel(WITH_CONTEXT);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    var context = run.last().context().orElseThrow();
    assertThat(context.variables()).hasToString("{\"llm.model\":\"second\"}");
    assertThat(context.history().stream().map(it -> ((ObjectValue) it).get("prompt")))
        .containsExactly(Value.of("asks a"), Value.of("asks b"));
    assertThat(context.times().size()).isEqualTo(2);
    assertThat(((ObjectValue) context.history().get(0)).asMap().keySet())
        .containsExactly("id", "metadata", "node_id", "prompt", "response", "superstep");
    assertThat(((ObjectValue) context.history().get(0)).get("node_id")).isEqualTo(Value.of("a"));
    assertThat(((ObjectValue) context.history().get(0)).get("metadata"))
        .hasToString("{\"context_type\":\"pass_through\",\"node_type\":\"test\"}");
    assertThat(run.events()).contains("context.conflict");
  }

  /// P1: times are outside the state hash.
  @Test
  void hashesTheContextWithoutItsTimes() {
    var first = parallel(WITH_CONTEXT);
    var second = parallel(WITH_CONTEXT);
    first.runs().pass(Duration.ofDays(1));
    first.drive();
    second.drive();

    var one = first.last().context().orElseThrow();
    var other = second.last().context().orElseThrow();
    assertThat(one.times()).isNotEqualTo(other.times());
    assertThat(one.hashed()).isEqualTo(other.hashed());
  }

  /// P1, E15: the prompt context counts as the state does; the first task that crosses the limit
  /// fails.
  @Test
  void countsTheContextAsPartOfTheState() {
    var limits =
        new EngineLimits(100, 16, 10, 10, 700, 10_000, EngineLimits.DEFAULT.timeoutDefault());
    var run =
        new TestRuns(limits)
            .start(
                new TestGraph()
                    .node("a", speaker("x".repeat(100)))
                    .node("b", speaker("y".repeat(200)))
                    .node("c", speaker("z"))
                    .edge("__start__", "a", "b", "c")
                    .program(),
                ObjectValue.empty(),
                WITH_CONTEXT);

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("state_too_large");
    assertThat(run.head().error().orElseThrow().task().orElseThrow().node()).hasToString("b");
  }

  /// P1, E15: a run cannot begin with more than it may have.
  @Test
  void refusesAnInitialContextThatIsTooLarge() {
    var limits =
        new EngineLimits(100, 16, 10, 10, 1_000, 10_000, EngineLimits.DEFAULT.timeoutDefault());
    var context =
        PromptContext.EMPTY.plusVariables(ObjectValue.of("a", Value.of("x".repeat(1_000))));
    var program = new TestGraph().node("a", _ -> TestNodes.done()).edge("__start__", "a").program();
    var header = new TestRuns().start(program, ObjectValue.empty()).header;
    var begun =
        new RunStart(program, limits, () -> java.time.Instant.EPOCH)
            .begin(
                header,
                ObjectValue.empty(),
                new StartState(GraphState.empty(), Optional.of(context)));

    assertThat(begun)
        .isInstanceOfSatisfying(
            PreparedCheckpoint.Refused.class,
            it -> assertThat(it.error().code()).isEqualTo("state_too_large"));
  }

  /// P2: a graph without a prompt context keeps none.
  @Test
  void keepsNoContextWhereThereIsNone() {
    var run = parallel(StartState.NOTHING);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.last().context()).isEmpty();
    assertThat(run.events()).doesNotContain("context.conflict");
  }

  /// P2: a failed task appends no entry; an error edge adds `error.*`.
  @Test
  void addsNoEntryOfAFailedTask() {
    var run =
        new TestRuns()
            .start(
                new TestGraph()
                    .node("a", _ -> TestNodes.failed("broken"))
                    .node("b", _ -> TestNodes.done())
                    .edge("__start__", "a")
                    .onError("a", "b")
                    .program(),
                ObjectValue.empty(),
                WITH_CONTEXT);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    var context = run.last().context().orElseThrow();
    assertThat(context.history().size()).isEqualTo(1);
    assertThat(context.variables().get("error.code")).isEqualTo(Value.of("broken"));
  }
}
