package dev.superstep.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.ActivationOrigins;
import dev.superstep.engine.checkpoint.PreparedCheckpoint;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Edge;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// What of the prompt context reaches which node (P8–P13). Edge ids are `e0`, `e1`, … as declared.
class ContextFlowTests {
  private static final String SECRET = "{'tool.key': 's3cret', 'llm.model': 'm', 'relevant': true}";
  private final ContextGraph contexts = new ContextGraph();
  private final TestRuns runs = new TestRuns();

  private TestRuns.TestRun start(TestGraph graph, String variables) {
    return runs.start(contexts.program(graph), ObjectValue.empty(), ContextGraph.origin(variables));
  }

  private TestRuns.TestRun succeed(TestGraph graph, String variables) {
    var run = start(graph, variables);
    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    return run;
  }

  /// P8, S4-3, S4-15: a node's type and filter shape what it sees; the run keeps everything (P12).
  @Test
  void showsANodeWhatItsTypeAndFilterLeave() {
    contexts.node(
        "a",
        "{'context_type': 'filter_out', 'context_filter': {'rules': [{'type': 'exclude', 'pattern':"
            + " 'tool.*'}]}}");
    var run =
        succeed(
            new TestGraph()
                .node("a", contexts.looks())
                .node("b", contexts.looks())
                .edge("__start__", "a")
                .edge("a", "b"),
            SECRET);

    assertThat(contexts.keys("a")).isEqualTo("llm.model relevant");
    assertThat(contexts.keys("b")).isEqualTo("llm.model relevant tool.key");
    assertThat(run.last().context().orElseThrow().variables().has("tool.key")).isTrue();
  }

  /// P9, S4-16: without a filter of their own, llm nodes have the seed's.
  @Test
  void givesNodesTheFilterOfTheirType() {
    contexts.node("a", "{'type': 'llm'}");
    succeed(new TestGraph().node("a", contexts.looks()).edge("__start__", "a"), SECRET);

    assertThat(contexts.keys("a")).isEqualTo("llm.model");
  }

  /// P11: of two edges to a node only the one that activated it counts.
  @Test
  void countsOnlyEdgesThatActivatedTheNode() {
    var loops = new AtomicInteger();
    contexts
        .edge("e1", "{'context_filter': {'type': 'selective', 'include_patterns': ['llm.*']}}")
        .edge("e2", "{'context_filter': {'type': 'pass_none'}}");
    succeed(
        new TestGraph()
            .node("a", contexts.looks())
            .node("b", contexts.looks())
            .edge("__start__", "a")
            .edge("a", "b")
            .when("b", _ -> loops.getAndIncrement() == 0, "b"),
        SECRET);

    assertThat(contexts.keys("b")).isEmpty();
    assertThat(contexts.seen("b").template()).isEqualTo("template");
  }

  /// P8 `merge`, P9: a node that several edges reach gets the union of what they pass, the later
  /// edge's value wins.
  @Test
  void mergesWhatSeveralEdgesPass() {
    contexts
        .edge("e1", "{'context_filter': {'type': 'selective', 'include_patterns': ['llm.*']}}")
        .edge(
            "e2",
            "{'context_filter': {'type': 'transform', 'transform_rules': [{'source_pattern':"
                + " 'llm.*', 'target_pattern': 'llm.*', 'transform': 'upper'}]}}");
    succeed(
        new TestGraph()
            .node("a", contexts.looks())
            .node("b", contexts.looks())
            .node("c", contexts.looks())
            .edge("__start__", "a", "b")
            .edge("a", "c")
            .edge("b", "c"),
        SECRET);

    assertThat(contexts.keys("c")).isEqualTo("llm.model relevant tool.key");
    assertThat(contexts.seen("c").variables().get("llm.model")).isEqualTo(Value.of("M"));
  }

  /// P11: a dispatch passes through the filter of the edge that emitted it; one that the node
  /// itself asked for goes over no edge.
  @Test
  void leadsADispatchThroughTheEdgeThatEmittedIt() {
    contexts.edge("e1", "{'context_filter': {'type': 'pass_none'}}");
    var sent = ContextGraph.json("{'node': 'b', 'id': 'routed'}");
    succeed(
        new TestGraph()
            .node("a", _ -> TestNodes.send(TestNodes.request("b", "own")))
            .node("b", contexts.looks())
            .edge("__start__", "a")
            .route("a", _ -> ListValue.of(sent)),
        SECRET);

    assertThat(contexts.keys("b:routed")).isEmpty();
    assertThat(contexts.keys("b:own")).isEqualTo("llm.model relevant tool.key");
  }

  /// P10, S4-19, E32: over an error edge only `error.*` and `exception.*` pass, unless it says
  /// else.
  @Test
  void passesOnlyWhatIsAboutErrorsOverAnErrorEdge() {
    succeed(
        new TestGraph()
            .node("a", _ -> TestNodes.failed("broken"))
            .node("b", contexts.looks())
            .edge("__start__", "a")
            .onError("a", "b"),
        SECRET.replace("}", ", 'error.hint': 1, 'success.rate': 1}"));

    assertThat(contexts.keys("b"))
        .isEqualTo("error.attempt error.code error.hint error.message error.node error.superstep");
    assertThat(contexts.seen("b").variables().get("error.code")).isEqualTo(Value.of("broken"));
  }

  /// P10: an edge's context condition decides about the context, not about the edge; one that fails
  /// is false, and named in `context.filtered`.
  @Test
  void takesAnEdgeWhoseContextConditionFails() {
    contexts
        .edge("e1", "{'context_filter': {'type': 'conditional', 'condition': 'fails'}}")
        .edge("e2", "{'context_filter': {'type': 'conditional', 'condition': 'relevant'}}");
    var run =
        start(
            new TestGraph()
                .node("a", contexts.looks())
                .node("b", contexts.looks())
                .node("c", contexts.looks())
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("a", "c"),
            SECRET);
    var observed = Collections.synchronizedList(new ArrayList<String>());
    run.observer =
        (_, type, task, data) -> {
          if (type.equals("context.filtered")) {
            observed.add(task.node() + " " + data);
          }
        };

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(contexts.keys("b")).isEmpty();
    assertThat(contexts.keys("c")).isEqualTo("llm.model relevant tool.key");
    assertThat(observed)
        .singleElement()
        .asString()
        .startsWith("b ")
        .contains("it fails", "tool.key")
        .doesNotContain("s3cret");
  }

  /// P12, S4-22: in mode `chain` downstream sees only what the node passed on, its outputs filtered
  /// too, untransformed, and the entry.
  @Test
  void passesOnInAChainOnlyWhatANodesFilterLeaves() {
    contexts
        .chain()
        .node(
            "a",
            "{'context_filter': {'rules': [{'type': 'exclude', 'pattern': 'tool.*'}, {'type':"
                + " 'transform', 'pattern': 'llm.*', 'transform': 'upper'}]}}");
    var run =
        succeed(
            new TestGraph()
                .node("a", contexts.looks("{'tool.new': 1, 'answer': 2}"))
                .node("b", contexts.looks())
                .node("c", contexts.looks())
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"),
            SECRET);

    assertThat(contexts.seen("a").variables().get("llm.model")).isEqualTo(Value.of("M"));
    assertThat(contexts.keys("b")).isEqualTo("answer llm.model relevant");
    assertThat(contexts.seen("b").variables().get("llm.model")).isEqualTo(Value.of("m"));
    assertThat(contexts.entries("b")).isEqualTo("before a");
    assertThat(contexts.keys("c")).isEqualTo("answer llm.model relevant");
    assertThat(contexts.entries("c")).isEqualTo("before a b");
    assertThat(run.last().context().orElseThrow().variables().has("tool.new")).isTrue();
  }

  /// P12: what an edge holds back in a chain, no later node gets; a sibling branch keeps its own.
  @Test
  void keepsBranchesOfAChainApart() {
    contexts.chain().edge("e1", "{'context_filter': {'type': 'pass_none'}}");
    succeed(
        new TestGraph()
            .node("a", contexts.looks("{'own': 1}"))
            .node("b", contexts.looks("{'b.x': 1}"))
            .node("c", contexts.looks("{'c.x': 1}"))
            .node("d", contexts.looks())
            .node("e", contexts.looks())
            .edge("__start__", "a")
            .edge("a", "b")
            .edge("a", "c")
            .edge("b", "d")
            .edge("c", "e"),
        SECRET);

    assertThat(contexts.keys("b")).isEmpty();
    assertThat(contexts.keys("d")).isEqualTo("b.x");
    assertThat(contexts.entries("d")).isEqualTo("b");
    assertThat(contexts.keys("e")).isEqualTo("c.x llm.model own relevant tool.key");
  }

  /// P12, E27: a join in a chain gets what each of its sources passed on, also when they arrive in
  /// different supersteps.
  @Test
  void mergesAtAJoinWhatItsSourcesPassedOn() {
    contexts
        .chain()
        .edge("e3", "{'context_filter': {'type': 'selective', 'exclude_patterns': ['tool.*']}}");
    succeed(
        new TestGraph()
            .node("a", contexts.looks("{'a.x': 1}"))
            .node("b", contexts.looks("{'b.x': 1}"))
            .node("late", contexts.looks("{'late.x': 1}"))
            .node("j", contexts.looks())
            .edge("__start__", "a", "b")
            .edge("a", "a2")
            .edge("b", "late")
            .join(Edge.Join.Mode.ALL, List.of("a", "late"), "j")
            .node("a2", contexts.looks("{'a2.x': 1}")),
        SECRET);

    assertThat(contexts.keys("j")).isEqualTo("a.x b.x late.x llm.model relevant");
    assertThat(contexts.entries("j")).isEqualTo("before a b late");
  }

  /// P13, S4-7: a node that requires context fails without it, and is not tried again.
  @Test
  void failsATaskThatLacksRequiredContext() {
    contexts.node("a", "{'required_context': ['user.*', 'llm.*']}");
    var run =
        start(
            new TestGraph()
                .node("a", it -> it.attempts(5, Duration.ZERO), contexts.looks())
                .edge("__start__", "a"),
            SECRET);

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("context_incompatible");
    var error = run.head().error().orElseThrow();
    assertThat(error.attempt()).isEqualTo(1);
    assertThat(error.error().details().get("missing")).isEqualTo(ListValue.texts("user.*"));
    assertThat(contexts.keys("a")).isEmpty();
  }

  /// P13, S4-23: an edge that says `on_incompatible: skip` is not taken instead, with an event;
  /// what the source adds counts.
  @Test
  void takesNoEdgeToANodeThatLacksContext() {
    contexts
        .node("poor", "{'required_context': ['user.*']}")
        .node("rich", "{'required_context': ['fresh']}")
        .skip("e1")
        .skip("e2");
    var run =
        succeed(
            new TestGraph()
                .node("a", contexts.looks("{'fresh': 1}"))
                .node("poor", contexts.looks())
                .node("rich", contexts.looks())
                .edge("__start__", "a")
                .edge("a", "poor")
                .edge("a", "rich"),
            SECRET);

    assertThat(contexts.keys("poor")).isEmpty();
    assertThat(contexts.keys("rich")).contains("fresh");
    var event =
        runs.store.events(run.header.id()).stream()
            .filter(it -> it.event().type().equals("edge.not_taken"))
            .toList();
    assertThat(event).hasSize(1);
    assertThat(event.getFirst().event().data())
        .hasToString(
            "{\"code\":\"context_incompatible\",\"edge\":\"e1\",\"missing\":[\"user.*\"],\"to\":\"poor\"}");
  }

  /// P14: a processor that throws fails the task, whatever its node makes of that.
  @Test
  void failsATaskWhoseProcessorThrows() {
    contexts.node("a", "{'context_type': 'custom:broken'}");
    NodeRunner swallows =
        call -> {
          try {
            call.context();
          } catch (RuntimeException e) {
            return TestNodes.done();
          }
          return TestNodes.done();
        };
    var run = start(new TestGraph().node("a", swallows).edge("__start__", "a"), SECRET);

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("context_processor_failed");
  }

  /// P2: a view is made when the node looks at it.
  @Test
  void makesNoViewForANodeThatDoesNotLook() {
    contexts.node("a", "{'context_type': 'custom:broken'}");

    succeed(new TestGraph().node("a", _ -> TestNodes.done()).edge("__start__", "a"), SECRET);
  }

  /// P11, E36: who is asked and answers sees what he saw before.
  @Test
  void showsTheSameAfterAnAnswer() {
    contexts
        .chain()
        .edge("e1", "{'context_filter': {'type': 'selective', 'include_patterns': ['llm.*']}}");
    NodeRunner person =
        call -> {
          contexts.note(call);
          return TestNodes.person("answer").run(call);
        };
    var run =
        start(
            new TestGraph()
                .node("a", contexts.looks())
                .node("ask", person)
                .edge("__start__", "a")
                .edge("a", "ask"),
            SECRET);

    assertThat(run.drive()).isEqualTo(RunStatus.INTERRUPTED);
    var before = contexts.seen("ask");
    assertThat(run.answer(Value.of("yes"))).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(contexts.seen("ask")).isEqualTo(before);
    assertThat(contexts.keys("ask")).isEqualTo("llm.model");
  }

  /// P11, E28: a deferred node that was activated in several supersteps gets what all the ways led
  /// to it, also in a chain.
  @Test
  void remembersTheWaysToADeferredNode() {
    contexts
        .chain()
        .edge("e2", "{'context_filter': {'type': 'selective', 'include_patterns': ['llm.*']}}");
    succeed(
        new TestGraph()
            .node("a", contexts.looks("{'a.x': 1}"))
            .node("b", contexts.looks("{'b.x': 1}"))
            .node("last", it -> it.defer(), contexts.looks())
            .edge("__start__", "a")
            .edge("a", "b")
            .edge("a", "last")
            .edge("b", "last"),
        SECRET);

    assertThat(contexts.keys("last")).isEqualTo("a.x b.x llm.model relevant tool.key");
    assertThat(contexts.entries("last")).isEqualTo("before a b");
  }

  /// P11, E28: what its edge held back from a deferred node does not reach it later either, however
  /// long it waits.
  @Test
  void keepsTheWayOfADeferredNodeWhileOthersRun() {
    contexts.edge("e2", "{'context_filter': {'type': 'selective', 'include_patterns': ['llm.*']}}");
    succeed(
        new TestGraph()
            .node("a", contexts.looks())
            .node("b", contexts.looks())
            .node("c", contexts.looks())
            .node("last", it -> it.defer(), contexts.looks())
            .edge("__start__", "a")
            .edge("a", "b")
            .edge("a", "last")
            .edge("b", "c"),
        SECRET);

    assertThat(contexts.keys("c")).contains("tool.key");
    assertThat(contexts.keys("last")).isEqualTo("llm.model");
  }

  /// P2: a run without prompt context notes no ways.
  @Test
  void notesNoWaysWithoutContext() {
    var run =
        runs.start(
            contexts.program(
                new TestGraph()
                    .node("a", _ -> TestNodes.done())
                    .node("b", _ -> TestNodes.ask("stay"))
                    .edge("__start__", "a")
                    .edge("a", "b")),
            ObjectValue.empty());

    run.drive();
    assertThat(run.last().pending().origins()).isSameAs(ActivationOrigins.NONE);
  }

  /// P11: pending activations remember their ways, each once.
  @Test
  void notesTheWaysOfPendingActivations() {
    var run =
        start(
            new TestGraph()
                .node("a", _ -> TestNodes.sendItems("a2", 3))
                .node("a2", contexts.looks())
                .node("b", _ -> TestNodes.ask("stay"))
                .edge("__start__", "a")
                .edge("a2", "b"),
            SECRET);

    run.drive();
    assertThat(run.last().pending().origins().to().values())
        .containsExactly(List.of(new ActivationOrigin("e1", null)));
  }

  /// E42, P12: a change made in the name of a node passes on what had arrived at it.
  @Test
  void passesOnInTheNameOfANode() {
    contexts
        .chain()
        .edge("e1", "{'context_filter': {'type': 'selective', 'include_patterns': ['llm.*']}}");
    var program =
        contexts.program(
            new TestGraph()
                .node("a", contexts.looks())
                .node("b", _ -> TestNodes.failed("broken"))
                .node("c", contexts.looks())
                .edge("__start__", "a")
                .edge("a", "b")
                .edge("b", "c"));
    var run = runs.start(program, ObjectValue.empty(), ContextGraph.origin(SECRET));
    run.drive();
    var edit = new StateEdit(program, run.header, EngineLimits.DEFAULT, runs.clock);
    var forked = edit.fork(run.last(), Change.NONE, Optional.of(new NodeId("b")));

    assertThat(forked).isInstanceOf(PreparedCheckpoint.Ready.class);
    var after = ((PreparedCheckpoint.Ready) forked).write().after();
    var explained =
        ContextExplanation.of(run.header, program, after, new NodeId("c"), null).orElseThrow();
    assertThat(explained.context().variables().asMap().keySet()).isEqualTo(Set.of("llm.model"));
  }

  /// P17: of every item it can be said which rule kept or dropped it.
  @Test
  void explainsWhatATaskReceives() {
    contexts
        .node("b", "{'type': 'llm'}")
        .edge("e1", "{'context_filter': {'type': 'selective', 'exclude_patterns': ['relevant']}}");
    var program =
        contexts.program(
            new TestGraph()
                .node("a", contexts.looks())
                .node("b", _ -> TestNodes.ask("stay"))
                .edge("__start__", "a")
                .edge("a", "b"));
    var run = runs.start(program, ObjectValue.empty(), ContextGraph.origin(SECRET));
    run.drive();
    var explained =
        ContextExplanation.of(run.header, program, run.last(), new NodeId("b"), null).orElseThrow();

    assertThat(explained.type()).isEqualTo("llm_context");
    assertThat(explained.origins()).containsExactly(new ActivationOrigin("e1", null));
    assertThat(explained.items())
        .filteredOn(it -> it.key().equals("relevant"))
        .singleElement()
        .satisfies(it -> {
          assertThat(it.isKept()).isFalse();
          assertThat(it.steps().getLast().source()).isEqualTo("e1");
          assertThat(it.steps().getLast().rule()).isEqualTo("/exclude_patterns/0");
        });
  }
}
