package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// Forks into versions of a graph that keep a prompt context, or none (E48, P2).
class ForkedContextTests {
  private static final PromptContext SECRET =
      PromptContext.EMPTY.plusVariables(ObjectValue.of("tool.key", Value.of("s3cret")));
  private final TestRuns runs = new TestRuns();
  private final ContextGraph contexts = new ContextGraph();

  private static TestGraph graph(NodeRunner runner) {
    return new TestGraph().node("a", runner).edge("__start__", "a");
  }

  /// The program with the setting that definitions derive from their keys.
  private static Program keeping(Program program, boolean keeps) {
    var graph = program.graph();
    var settings = graph.settings();
    return new Program(
        new Graph(
            graph.channels(),
            graph.nodes(),
            List.copyOf(graph.flowsFrom(NodeId.START)),
            new Graph.GraphSettings(settings.limits(), settings.breakpoints(), keeps)),
        program.runners(),
        program.compactions(),
        program.contexts());
  }

  private Checkpoint failed(RunStart.StartState origin, boolean keeps) {
    var program = keeping(contexts.program(graph(_ -> TestNodes.failed("broken"))), keeps);
    var run = runs.start(program, ObjectValue.empty(), origin);
    run.drive();
    return run.last();
  }

  /// P2, E48: a version that says nothing about prompt contexts has no filters either: nothing of
  /// the context that the run had may reach its nodes.
  @Test
  void dropsTheContextForAVersionThatKeepsNone() {
    var at = failed(new RunStart.StartState(GraphState.empty(), Optional.of(SECRET)), true);
    var later = keeping(graph(_ -> TestNodes.done()).program(), false);

    var fit = ForkedContext.fit(at, later.graph(), PromptContext.EMPTY);

    assertThat(fit.context()).isEmpty();
    assertThat(fit.pending().activations()).isEqualTo(at.pending().activations());
    assertThat(fit.pending().origins().isNone()).isTrue();
  }

  /// P2, P11, E48: a version with a prompt context begins with its own; what is pending came over
  /// edges that nobody noted, and no filter of an edge may be lost silently.
  @Test
  void beginsWithTheContextOfAVersionThatKeepsOne() {
    var at = failed(RunStart.StartState.NOTHING, false);
    var later = keeping(contexts.program(graph(contexts.looks())), true);
    var initial =
        new PromptContext(
            "template", SECRET.variables(), SECRET.history(), SECRET.times(), SECRET.metadata());

    var fit = ForkedContext.fit(at, later.graph(), initial);
    var header = TestRunHeader.of("fork", "g", 2, 0, ObjectValue.empty());
    var seen = ContextExplanation.of(header, later, fit, new NodeId("a"), null).orElseThrow();

    assertThat(fit.context()).contains(initial);
    assertThat(seen.context().template()).isEqualTo("template");
    assertThat(seen.context().variables()).isEqualTo(ObjectValue.empty());
  }

  /// E48
  @Test
  void leavesTheContextAloneBetweenVersionsThatAgree() {
    var at = failed(new RunStart.StartState(GraphState.empty(), Optional.of(SECRET)), true);
    var later = keeping(contexts.program(graph(contexts.looks())), true);

    assertThat(ForkedContext.fit(at, later.graph(), PromptContext.EMPTY)).isSameAs(at);
  }
}
