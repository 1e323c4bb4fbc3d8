package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.at;
import static dev.superstep.engine.TestNodes.done;
import static dev.superstep.engine.TestNodes.failed;
import static dev.superstep.engine.TestNodes.goTo;
import static dev.superstep.engine.TestNodes.send;
import static dev.superstep.engine.TestNodes.sendItems;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Edge.Join.Mode;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Route;
import dev.superstep.state.Change;
import dev.superstep.state.Reducer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Edges, routes, joins and deferred nodes (E22–E28).
class RoutingTests {
  private final List<String> calls = Collections.synchronizedList(new ArrayList<>());

  private NodeRunner noted(String name) {
    return _ -> {
      calls.add(name);
      return done();
    };
  }

  /// E22, S1-4: an edge sees its task's own update, not those of siblings.
  @Test
  void evaluatesEdgesAgainstTheFrozenStateAndTheTasksOwnUpdate() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> set("x", 1))
                .node("b", _ -> set("y", 1))
                .node("own", noted("own"))
                .node("other", noted("other"))
                .edge("__start__", "a", "b")
                .when("a", scope -> at(scope.get("state"), "x", Value.of(1)), "own")
                .when("a", scope -> at(scope.get("state"), "y", Value.of(1)), "other"));

    run.drive();

    assertThat(calls).containsExactly("own");
  }

  /// E23, K14: a loop until `count >= 3` by a conditional edge ends with 3.
  @Test
  void loopsWhileAConditionHolds() {
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("count", new Reducer.Sum())
                .node("add", _ -> set("count", 1))
                .edge("__start__", "add")
                .when("add", scope -> !at(scope.get("state"), "count", Value.of(3)), "add"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("count")).isEqualTo(Value.of(3));
  }

  /// E23, S1-5, S2-3, S2-11, S2-16: a route may return nodes and dispatches in one list; each is
  /// followed.
  @Test
  void followsAMixedRoute() {
    var dispatch =
        ObjectValue.of("node", Value.of("work")).plus("input", ObjectValue.of("t", Value.of("x")));
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> done())
                .node("b", noted("b"))
                .node(
                    "work",
                    call -> {
                      calls.add("work" + call.task().input());
                      return done();
                    })
                .edge("__start__", "a")
                .route("a", _ -> ListValue.of(Value.of("b"), dispatch)));

    run.drive();

    assertThat(calls).containsExactlyInAnyOrder("b", "work{\"t\":\"x\"}");
  }

  /// E23: `route_map` translates a returned key.
  @Test
  void translatesARouteThroughItsMap() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> done())
                .node("b", noted("b"))
                .edge("__start__", "a")
                .route(
                    "a",
                    _ -> Value.of("yes"),
                    Map.of("yes", new NodeId("b")),
                    Set.of(),
                    Optional.empty()));

    run.drive();

    assertThat(calls).containsExactly("b");
  }

  /// E24, K8: an empty fan-out reaches the node that `if_empty` names; without it the branch ends.
  @Test
  void leadsAnEmptyFanOutToItsAggregate() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> done())
                .node("aggregate", noted("aggregate"))
                .edge("__start__", "a")
                .routeOr("a", _ -> ListValue.empty(), "aggregate"));
    var without =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> done())
                .edge("__start__", "a")
                .route("a", _ -> Value.NULL));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("aggregate");
    assertThat(without.drive()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// E24: a node's own `if_empty` is a target without being declared as one.
  @Test
  void reachesTheIfEmptyOfANodeWithDeclaredTargets() {
    var routing =
        new Node.Routing(
            Node.EdgeMode.ALL, Set.of(new NodeId("work")), Optional.of(new NodeId("aggregate")));
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", it -> it, routing, _ -> goTo(Change.NONE, "aggregate"))
                .node("work", noted("work"))
                .node("aggregate", noted("aggregate"))
                .edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("aggregate");
  }

  static List<TestGraph> badRoutes() {
    Route unknown = _ -> Value.of("nowhere");
    Route number = _ -> Value.of(7);
    Route toEnd = _ -> ObjectValue.of("node", Value.of("__end__"));
    Route odd = _ -> ObjectValue.of("node", Value.of("b")).plus("inputs", ObjectValue.empty());
    Route throwing =
        _ -> {
          throw new ExpressionException("expression_failed", "no such key");
        };
    Route outside = _ -> Value.of("b");
    return List.of(
        routed(unknown),
        routed(number),
        routed(toEnd),
        routed(odd),
        routed(throwing),
        base().route("a", outside, Map.of(), Set.of(new NodeId("a")), Optional.empty()),
        base().route("a", outside, Map.of("x", new NodeId("b")), Set.of(), Optional.empty()),
        base()
            .when(
                "a",
                _ -> {
                  throw new ExpressionException("not_boolean", "null is no boolean");
                },
                "b"));
  }

  private static TestGraph base() {
    return new TestGraph()
        .node("a", _ -> set("x", 1))
        .node("b", _ -> done())
        .edge("__start__", "a");
  }

  private static TestGraph routed(Route route) {
    return base().route("a", route);
  }

  /// E25, K6, C10, S1-6: whatever a router gets wrong fails its task and says where; nothing is
  /// lost.
  @ParameterizedTest
  @MethodSource("badRoutes")
  void failsATaskWhoseRouteIsInvalid(TestGraph graph) {
    var run = TestRuns.of(graph);

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("invalid_route");
    assertThat(run.head().error().orElseThrow().task().orElseThrow().node()).hasToString("a");
    assertThat(run.state("x")).isEqualTo(Value.NULL);
  }

  /// K6: unknown `goto`, unknown dispatch target.
  @Test
  void failsATaskThatNamesAnUnknownNode() {
    var goTo =
        TestRuns.of(new TestGraph().node("a", _ -> goTo(Change.NONE, "zz")).edge("__start__", "a"));
    var dispatch =
        TestRuns.of(new TestGraph().node("a", _ -> sendItems("zz", 1)).edge("__start__", "a"));
    var declared =
        TestRuns.of(
            new TestGraph()
                .node(
                    "a",
                    it -> it,
                    new Node.Routing(Node.EdgeMode.ALL, Set.of(new NodeId("c")), Optional.empty()),
                    _ -> sendItems("b", 1))
                .node("b", _ -> done())
                .node("c", _ -> done())
                .edge("__start__", "a"));

    for (var run : List.of(goTo, dispatch, declared)) {
      assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
      assertThat(run.errorCode()).isEqualTo("invalid_route");
    }
  }

  /// E25: a router of `__start__` is checked before the run exists.
  @Test
  void refusesARunWhoseStartCannotBeRouted() {
    var graph = new TestGraph().node("a", _ -> done()).route("__start__", _ -> Value.of("nowhere"));

    assertThatThrownBy(() -> TestRuns.of(graph)).hasMessageContaining("invalid_route");
  }

  /// E23 `edge_mode: first`: only the true edge of highest weight, else the last one.
  @Test
  void takesOnlyTheHeaviestOpenEdgeInModeFirst() {
    assertThat(first(1, 2)).containsExactly("heavy");
    assertThat(first(1, 0)).containsExactly("light");
    assertThat(first(0, 0)).containsExactly("otherwise");
  }

  private List<String> first(int light, int heavy) {
    calls.clear();
    var routing = new Node.Routing(Node.EdgeMode.FIRST, Set.of(), Optional.empty());
    TestRuns.of(
            new TestGraph()
                .node("a", it -> it, routing, _ -> done())
                .node("light", noted("light"))
                .node("heavy", noted("heavy"))
                .node("otherwise", noted("otherwise"))
                .edge("__start__", "a")
                .when("a", _ -> light > 0, 1, "light")
                .when("a", _ -> heavy > 0, 2, "heavy")
                .edge("a", "otherwise"))
        .drive();
    return List.copyOf(calls);
  }

  /// E27: `all` waits for every source, over several supersteps, and fires once.
  @Test
  void joinsAllSourcesOverSeveralSupersteps() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("short", noted("short"))
                .node("long1", noted("long1"))
                .node("long2", noted("long2"))
                .node("joined", noted("joined"))
                .edge("__start__", "short", "long1")
                .edge("long1", "long2")
                .join(Mode.ALL, List.of("short", "long2"), "joined"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls)
        .containsExactlyInAnyOrder("short", "long1", "long2", "joined")
        .last()
        .isEqualTo("joined");
    assertThat(run.last().superstep()).isEqualTo(3);
  }

  /// E27: a join in a loop re-arms.
  @Test
  void firesAJoinAgainInTheNextRound() {
    var run =
        TestRuns.of(
            new TestGraph()
                .channel("rounds", new Reducer.Sum())
                .node("a", noted("a"))
                .node("b", noted("b"))
                .node("joined", _ -> set("rounds", 1))
                .edge("__start__", "a", "b")
                .join(Mode.ALL, List.of("a", "b"), "joined")
                .when("joined", scope -> !at(scope.get("state"), "rounds", Value.of(3)), "a", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("rounds")).isEqualTo(Value.of(3));
    assertThat(calls).hasSize(6);
  }

  /// E27: `any` fires in each superstep with an arrival.
  @Test
  void firesAnAnyJoinInEverySuperstepWithAnArrival() {
    var run = TestRuns.of(lopsided(Mode.ANY));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls.stream().filter("joined"::equals)).hasSize(2);
  }

  /// E27: `activated` waits for sources that are pending, and only for those.
  @Test
  void firesAnActivatedJoinWhenNoSourceIsPending() {
    var run = TestRuns.of(lopsided(Mode.ACTIVATED));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls.stream().filter("joined"::equals)).hasSize(1);
    assertThat(calls).last().isEqualTo("joined");
  }

  /// E27: a source that another join activates in the same commit is pending, wherever the two are
  /// declared.
  @ParameterizedTest
  @EnumSource(names = {"ANY", "ACTIVATED"})
  void waitsForSourcesThatOtherJoinsActivate(Mode mode) {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", noted("a"))
                .node("b", noted("b"))
                .node("between", noted("between"))
                .node("never", noted("never"))
                .node("last", noted("last"))
                .edge("__start__", "a", "b")
                .join(Mode.ACTIVATED, List.of("between", "b"), "last")
                .join(mode, List.of("a", "never"), "between"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).hasSize(4).endsWith("between", "last");
  }

  /// E27: of joins that wait for each other the one fires that is declared first.
  @Test
  void decidesJoinsInACircleInDeclarationOrder() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", noted("a"))
                .node("b", noted("b"))
                .node("left", noted("left"))
                .node("right", noted("right"))
                .edge("__start__", "a", "b")
                .join(Mode.ACTIVATED, List.of("a", "right"), "left")
                .join(Mode.ACTIVATED, List.of("b", "left"), "right")
                .edge("left", "__end__"));

    run.drive();
    assertThat(calls.subList(0, 2)).containsExactlyInAnyOrder("a", "b");
    assertThat(calls).element(2).isEqualTo("left");
  }

  /// `a` arrives in superstep 1 and activates `b`, which arrives in superstep 2; `c` never runs.
  private TestGraph lopsided(Mode mode) {
    return new TestGraph()
        .node("a", noted("a"))
        .node("b", noted("b"))
        .node("c", noted("c"))
        .node("joined", noted("joined"))
        .edge("__start__", "a")
        .edge("a", "b")
        .join(mode, List.of("a", "b", "c"), "joined");
  }

  /// E13 (3), E27, K7: a skipped member of an `all` join is a failure, not success.
  @Test
  void failsWhenAnAllJoinCanNeverFire() {
    var run = TestRuns.of(lopsided(Mode.ALL));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("stalled_join");
    assertThat(run.head().error().orElseThrow().error().details())
        .hasToString("{\"missing\":{\"e2\":[\"c\"]}}");
    assertThat(run.last().pending().arrivals()).hasSize(1);
  }

  /// E27: a replacing `goto`, an error edge and `continue` are no arrivals.
  @Test
  void countsOnlyStaticRoutingAsArrival() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> goTo(Change.NONE, "c"))
                .node("b", it -> it.goesOn(), _ -> failed("broken"))
                .node("c", noted("c"))
                .node("joined", noted("joined"))
                .edge("__start__", "a", "b")
                .join(Mode.ANY, List.of("a", "b"), "joined"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("c");
  }

  /// E27: the handled failure of an optional node is an arrival, in the superstep of the failure as
  /// in a later one, and whichever way it was handled.
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void countsTheFailureOfAnOptionalNodeAsArrival(boolean rescued) {
    var graph =
        new TestGraph()
            .node("a", noted("a"))
            .node("b", it -> it.optional(), _ -> failed("broken"))
            .node("late", noted("late"))
            .node("rescue", noted("rescue"))
            .node("joined", noted("joined"))
            .edge("__start__", "a", "b")
            .edge("a", "late")
            .join(Mode.ALL, List.of("a", "b", "late"), "joined");
    var run = TestRuns.of(rescued ? graph.onError("b", "rescue") : graph);

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsOnlyOnce("joined").endsWith("joined");
    assertThat(calls.contains("rescue")).isEqualTo(rescued);
    assertThat(run.events()).containsOnlyOnce("task.handled").doesNotContain("task.failed");
  }

  /// E23, E24: none of the conditions holds.
  @ParameterizedTest
  @EnumSource(Node.EdgeMode.class)
  void failsATaskOfWhichNoEdgeIsTakenWhereTheNodeSaysSo(Node.EdgeMode mode) {
    var run = TestRuns.of(undecided(mode, Node.OnNoMatch.FAIL));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("invalid_route");
    assertThat(run.head().error().orElseThrow().error().message()).contains("'a'", "on_no_match");
    assertThat(TestRuns.of(undecided(mode, Node.OnNoMatch.END)).drive())
        .isEqualTo(RunStatus.SUCCEEDED);
    var decided = undecided(mode, Node.OnNoMatch.FAIL).when("a", _ -> true, "c");
    assertThat(TestRuns.of(decided).drive()).isEqualTo(RunStatus.SUCCEEDED);
  }

  /// E32: it is a failure as others are.
  @Test
  void leadsOnByAnErrorEdgeIfNoEdgeIsTaken() {
    var graph =
        undecided(Node.EdgeMode.FIRST, Node.OnNoMatch.FAIL).onError("a", "c", "invalid_route");

    assertThat(TestRuns.of(graph).drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "c");
  }

  /// A replacing `goto` leaves no edge to be taken.
  @Test
  void doesNotMissEdgesBehindAGoto() {
    var routing =
        new Node.Routing(Node.EdgeMode.ALL, Set.of(), Optional.empty(), Node.OnNoMatch.FAIL);
    var graph =
        new TestGraph()
            .node("a", it -> it, routing, _ -> goTo(Change.NONE, "c"))
            .node("c", noted("c"))
            .edge("__start__", "a")
            .when("a", _ -> false, "c");

    assertThat(TestRuns.of(graph).drive()).isEqualTo(RunStatus.SUCCEEDED);
  }

  private TestGraph undecided(Node.EdgeMode mode, Node.OnNoMatch onNoMatch) {
    return new TestGraph()
        .node(
            "a",
            it -> it,
            new Node.Routing(mode, Set.of(), Optional.empty(), onNoMatch),
            noted("a"))
        .node("c", noted("c"))
        .edge("__start__", "a")
        .when("a", _ -> false, "c")
        .when("a", _ -> false, "__end__");
  }

  /// E28: deferred activations wait until nothing ordinary is pending.
  @Test
  void runsADeferredNodeLast() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", noted("a"))
                .node("b", noted("b"))
                .node("c", noted("c"))
                .node("last", it -> it.defer(), noted("last"))
                .edge("__start__", "a")
                .edge("a", "b", "last")
                .edge("b", "c", "last"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "b", "c", "last");
  }

  /// E28, E5: a deferred dispatch keeps its id; another of the same id is refused.
  @Test
  void runsEachDeferredDispatchOnce() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> sendItems("last", 2))
                .node("b", noted("b"))
                .node("last", it -> it.defer(), noted("last"))
                .edge("__start__", "a")
                .edge("a", "b"));
    var clash =
        TestRuns.of(
            new TestGraph()
                .node("a", _ -> send(TestNodes.request("last", "x")))
                .node("b", _ -> send(TestNodes.request("last", "x")))
                .node("last", it -> it.defer(), noted("last"))
                .edge("__start__", "a")
                .edge("a", "b"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).containsExactly("b", "last", "last");
    assertThat(clash.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(clash.errorCode()).isEqualTo("duplicate_dispatch_id");
  }

  /// E13 (4), C7, S3-5: nothing that reaches `__end__` is no success.
  @Test
  void failsWhenNoBranchReachesTheEnd() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("a", it -> it.goesOn(), _ -> failed("broken"))
                .edge("__start__", "a"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("no_branch_completed");
  }

  /// E13: `__end__` stops nothing else.
  @Test
  void letsOtherBranchesGoOnWhenOneEnds() {
    var run =
        TestRuns.of(
            new TestGraph()
                .node("short", noted("short"))
                .node("long", noted("long"))
                .node("longer", noted("longer"))
                .edge("__start__", "short", "long")
                .edge("short", "__end__")
                .edge("long", "longer"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).last().isEqualTo("longer");
  }
}
