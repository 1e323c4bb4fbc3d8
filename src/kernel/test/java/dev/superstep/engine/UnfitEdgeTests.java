package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.ValueText;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Edges that are not taken because their target lacks context (P13, S4-23), and edges that are
/// gone. Node `poor` lacks what it requires.
class UnfitEdgeTests {
  private final ContextGraph contexts = new ContextGraph();
  private final TestRuns runs = new TestRuns();

  @BeforeEach
  void poorLacksContext() {
    contexts.node("poor", "{'required_context': ['user.*']}");
  }

  private TestRuns.TestRun drive(TestGraph graph, RunStatus expected) {
    var run =
        runs.start(contexts.program(graph), ObjectValue.empty(), ContextGraph.origin("{'a.x': 1}"));
    assertThat(run.drive()).isEqualTo(expected);
    return run;
  }

  private List<String> notTaken(TestRuns.TestRun run) {
    return runs.store.events(run.header.id()).stream()
        .map(StoredRun.StoredEvent::event)
        .filter(it -> it.type().equals("edge.not_taken"))
        .map(it -> it.node().orElseThrow() + " " + it.data().get("edge"))
        .toList();
  }

  /// An edge to several nodes leaves out those that lack context.
  @Test
  void takesAnEdgeToThoseWhoCanDoWithTheContext() {
    contexts.skip("e1");
    var run =
        drive(
            new TestGraph()
                .node("a", contexts.looks())
                .node("poor", contexts.looks())
                .node("rich", contexts.looks())
                .edge("__start__", "a")
                .edge("a", "poor", "rich"),
            RunStatus.SUCCEEDED);

    assertThat(contexts.keys("rich")).isEqualTo("a.x");
    assertThat(contexts.keys("poor")).isEmpty();
    assertThat(notTaken(run)).containsExactly("a Text[value=e1]");
  }

  /// A dispatch is left out like a plain activation; a sibling to another node is sent.
  @Test
  void leavesOutADispatchToANodeThatLacksContext() {
    contexts.skip("e1");
    var run =
        drive(
            new TestGraph()
                .node("a", contexts.looks())
                .node("poor", contexts.looks())
                .node("rich", contexts.looks())
                .edge("__start__", "a")
                .route(
                    "a",
                    _ ->
                        ValueText.read(
                            "[{\"node\": \"poor\"}, {\"node\": \"rich\", \"id\": \"d\"}]")),
            RunStatus.SUCCEEDED);

    assertThat(contexts.keys("rich:d")).isEqualTo("a.x");
    assertThat(contexts.names()).containsExactlyInAnyOrder("a", "rich:d");
    assertThat(notTaken(run)).containsExactly("a Text[value=e1]");
  }

  /// With `edge_mode: first` the next edge is tried.
  @Test
  void triesTheNextEdgeWhereOnlyOneIsTaken() {
    contexts.skip("e1");
    var first = new Node.Routing(Node.EdgeMode.FIRST, Set.of(), Optional.empty());
    var run =
        drive(
            new TestGraph()
                .node("a", it -> it, first, contexts.looks())
                .node("poor", contexts.looks())
                .node("rich", contexts.looks())
                .edge("__start__", "a")
                .when("a", _ -> true, 2, "poor")
                .when("a", _ -> true, 1, "rich"),
            RunStatus.SUCCEEDED);

    assertThat(contexts.keys("rich")).isEqualTo("a.x");
    assertThat(notTaken(run)).containsExactly("a Text[value=e1]");
  }

  /// E32: an error edge that leads nowhere handles nothing.
  @Test
  void failsATaskWhoseErrorEdgeLeadsNowhere() {
    contexts.skip("e1");
    var run =
        drive(
            new TestGraph()
                .node("a", _ -> TestNodes.failed("broken"))
                .node("poor", contexts.looks())
                .edge("__start__", "a")
                .onError("a", "poor"),
            RunStatus.FAILED);

    assertThat(run.errorCode()).isEqualTo("broken");
  }

  /// Without `on_incompatible` the edge is taken, and its target fails.
  @Test
  void takesAnEdgeThatDoesNotAsk() {
    var run =
        drive(
            new TestGraph()
                .node("a", contexts.looks())
                .node("poor", contexts.looks())
                .edge("__start__", "a")
                .edge("a", "poor"),
            RunStatus.FAILED);

    assertThat(run.errorCode()).isEqualTo("context_incompatible");
    assertThat(notTaken(run)).isEmpty();
  }

  /// E48, P11: over an edge that another version does not have, only the template passes.
  @Test
  void passesOnlyTheTemplateOverAnEdgeThatIsGone() {
    var run =
        drive(
            new TestGraph()
                .node("a", contexts.looks())
                .node("b", _ -> TestNodes.failed("broken"))
                .edge("__start__", "a")
                .edge("a", "b"),
            RunStatus.FAILED);
    var later =
        contexts.program(
            new TestGraph()
                .node("a", contexts.looks())
                .node("b", contexts.looks())
                .edge("__start__", "a"));
    var forked =
        new StateEdit(later, run.header, EngineLimits.DEFAULT, runs.clock)
            .fork(run.last(), Change.NONE, Optional.empty());

    assertThat(forked).isInstanceOf(PreparedCheckpoint.Ready.class);
    var seen =
        ContextExplanation.of(
                run.header,
                later,
                ((PreparedCheckpoint.Ready) forked).write().after(),
                new NodeId("b"),
                null)
            .orElseThrow()
            .context();
    assertThat(seen.variables()).isEqualTo(ObjectValue.empty());
    assertThat(seen.template()).isEqualTo("template");
  }
}
