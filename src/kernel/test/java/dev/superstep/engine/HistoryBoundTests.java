package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.HistoryLimit;
import dev.superstep.context.PromptContext;
import dev.superstep.engine.ContextPlan.PlanMode;
import dev.superstep.engine.RunStart.StartState;
import dev.superstep.engine.checkpoint.ContextDelta;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.state.Change;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// The history of a prompt context is bounded (C27): it ends no run.
class HistoryBoundTests {
  private static final int ENTRY_BYTES = 400;
  private static final StartState WITH_CONTEXT =
      new StartState(GraphState.empty(), Optional.of(PromptContext.EMPTY));

  private static NodeRunner says(int bytes) {
    return call ->
        new Outcome.Done(
            new NodeResult(
                Change.update("n", Value.of(call.task().key().superstep())),
                null,
                List.of(),
                ObjectValue.empty(),
                "ask",
                "x".repeat(bytes)));
  }

  /// A loop of one node, until the limit of supersteps ends it.
  private static Program loop(PlanMode mode, HistoryLimit limit) {
    var program =
        new TestGraph()
            .node("a", says(ENTRY_BYTES))
            .edge("__start__", "a")
            .edge("a", "a")
            .program();
    return new Program(
        program.graph(),
        program.runners(),
        List.of(),
        new ContextPlan(mode, Map.of(), Map.of(), limit));
  }

  private static EngineLimits stateMax(long bytes) {
    var usual = EngineLimits.DEFAULT;
    return new EngineLimits(
        30,
        usual.concurrencyMax(),
        usual.superstepDispatchesMax(),
        usual.runDispatchesMax(),
        bytes,
        usual.resultBytesMax(),
        usual.timeoutDefault());
  }

  private static TestRuns.TestRun run(PlanMode mode, HistoryLimit limit, StartState origin) {
    return new TestRuns(stateMax(5_000)).start(loop(mode, limit), ObjectValue.empty(), origin);
  }

  private static PromptContext context(TestRuns.TestRun run) {
    return run.last().context().orElseThrow();
  }

  private static Value dropped(PromptContext context) {
    return context.metadata().getOr("history_dropped", Value.NULL);
  }

  @Test
  void keepsTheNewestEntriesAndCountsTheOthers() {
    var run = run(PlanMode.VIEW, new HistoryLimit(3, Long.MAX_VALUE), WITH_CONTEXT);
    run.drive();

    assertThat(run.errorCode()).isEqualTo("max_supersteps_exceeded");
    var context = context(run);
    assertThat(context.history().stream().map(it -> ((ObjectValue) it).get("superstep")))
        .containsExactly(Value.of(28), Value.of(29), Value.of(30));
    assertThat(context.times().size()).isEqualTo(3);
    assertThat(dropped(context)).isEqualTo(Value.of(27));
  }

  @Test
  void keepsAsManyBytesAsItMay() {
    var run = run(PlanMode.VIEW, new HistoryLimit(100, 2_000), WITH_CONTEXT);
    run.drive();

    assertThat(run.errorCode()).isEqualTo("max_supersteps_exceeded");
    assertThat(context(run).history().size()).isEqualTo(3);
    assertThat(dropped(context(run))).isEqualTo(Value.of(27));
  }

  @Test
  void endsARunWhoseHistoryIsUnboundedByTheSizeOfTheState() {
    var run = run(PlanMode.VIEW, HistoryLimit.UNBOUNDED, WITH_CONTEXT);
    run.drive();

    assertThat(run.errorCode()).isEqualTo("state_too_large");
  }

  /// What tasks have passed on does not grow either.
  @Test
  void boundsWhatIsPassedOnInModeChain() {
    var run = run(PlanMode.CHAIN, new HistoryLimit(3, Long.MAX_VALUE), WITH_CONTEXT);
    run.drive();

    assertThat(run.errorCode()).isEqualTo("max_supersteps_exceeded");
    assertThat(dropped(context(run))).isEqualTo(Value.of(27));
    assertThat(run.last().pending().origins().passed().values()).hasSize(1);
    for (var passed : run.last().pending().origins().passed().values()) {
      assertThat(passed.history()).containsExactly(new ContextDelta.DeltaPiece.Range(0, 3));
      assertThat(passed.over(context(run))).isEqualTo(context(run));
    }
  }

  /// A thread or fork may bring more than this graph keeps.
  @Test
  void beginsWithNoMoreThanItKeeps() {
    var context = PromptContext.EMPTY;
    for (int i = 0; i < 30; i++) {
      var entry =
          ObjectValue.of("id", Value.of("h" + i)).plus("response", Value.of("y".repeat(400)));
      context = context.plusEntry(entry, "2026-01-01T00:00:00Z");
    }
    var origin = new StartState(GraphState.empty(), Optional.of(context));
    var run = run(PlanMode.VIEW, new HistoryLimit(5, Long.MAX_VALUE), origin);

    assertThat(context(run).history().size()).isEqualTo(5);
    assertThat(dropped(context(run))).isEqualTo(Value.of(25));
  }

  @Test
  void dropsAnEntryThatIsTooLargeByItself() {
    var context =
        PromptContext.EMPTY
            .plusEntry(ObjectValue.of("id", Value.of("small")), "2026-01-01T00:00:00Z")
            .plusEntry(ObjectValue.of("id", Value.of("z".repeat(99))), "2026-01-01T00:00:00Z");
    var limit = new HistoryLimit(100, 50);

    assertThat(limit.bound(context).history().isEmpty()).isTrue();
    assertThat(limit.bound(limit.bound(context))).isEqualTo(limit.bound(context));
  }
}
