package dev.superstep.engine;

import static dev.superstep.engine.TestNodes.flaky;
import static dev.superstep.engine.TestNodes.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Edge;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.graph.Target;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Several retry policies, a time-out of all attempts, and the first error edge that fits (E31,
/// E32).
class RetryListTests {
  private static final Duration SOON = Duration.ofMillis(1);
  private final TestRuns runs = new TestRuns();
  private final AtomicInteger calls = new AtomicInteger();

  private static RetryPolicy policy(int attempts, Duration pause, String... codes) {
    return new RetryPolicy(attempts, pause, 1, pause, 0, List.of(codes), List.of());
  }

  private static Node.Policy policy(Optional<Duration> total, RetryPolicy... retries) {
    return new Node.Policy(List.of(retries), Optional.empty(), total, Node.OnError.FAIL, 0, false);
  }

  private TestRuns.TestRun run(Node.Policy policy, NodeRunner runner, Edge.ErrorRoute... caught) {
    var routing =
        new Node.Routing(
            Node.EdgeMode.ALL,
            Set.of(),
            Optional.empty(),
            Node.OnNoMatch.END,
            Optional.empty(),
            Node.EdgeMode.FIRST);
    var a = node("a", policy, routing);
    var one = node("one", Node.Policy.DEFAULT, Node.Routing.DEFAULT);
    var two = node("two", Node.Policy.DEFAULT, Node.Routing.DEFAULT);
    var start =
        new Edge.Flow(
            "start", NodeId.START, new Target.Nodes(List.of(a.id())), Optional.empty(), 0);
    var edges = new ArrayList<Edge>(List.of(start));
    edges.addAll(List.of(caught));
    var graph =
        new Graph(Channels.of(List.of()), List.of(a, one, two), edges, Graph.GraphSettings.DEFAULT);
    return runs.start(
        new Program(
            graph,
            Map.of(a.id(), runner, one.id(), _ -> set("one", 1), two.id(), _ -> set("two", 1)),
            List.of(),
            ContextPlan.NONE),
        ObjectValue.empty());
  }

  private static Node node(String id, Node.Policy policy, Node.Routing routing) {
    return new Node(new NodeId(id), "test", ObjectValue.empty(), policy, routing);
  }

  private static Edge.ErrorRoute caught(String to, Condition when, String... codes) {
    return new Edge.ErrorRoute(
        "to-" + to,
        new NodeId("a"),
        new Target.Nodes(List.of(new NodeId(to))),
        Optional.of(when),
        List.of(codes),
        Optional.empty());
  }

  private Outcome next(String... codes) {
    int call = calls.getAndIncrement();
    return call < codes.length ? flaky(codes[call]) : set("x", 1);
  }

  /// Attempts of one policy do not count for the other.
  @Test
  void countsEachPolicyOnItsOwn() {
    var run =
        run(
            policy(Optional.empty(), policy(3, SOON, "busy"), policy(3, SOON, "away")),
            _ -> next("busy", "away", "busy", "away"));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(calls).hasValue(5);
  }

  @Test
  void givesAllAttemptsOneUuid() {
    var seen = new ArrayList<Value>();
    var run =
        run(
            policy(Optional.empty(), policy(3, SOON, "busy")),
            call -> {
              seen.add(call.get("uuid"));
              return next("busy", "busy");
            });

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(seen).hasSize(3).doesNotContainNull().containsOnly(seen.getFirst());
  }

  @Test
  void failsWhenThePolicyThatFitsIsUsedUp() {
    var run =
        run(
            policy(Optional.empty(), policy(2, SOON, "busy"), policy(9, SOON, "*")),
            _ -> next("busy", "away", "busy", "away"));

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("busy");
    assertThat(calls).hasValue(3);
  }

  /// The counts are in the record with which the run is parked: another driver goes on with them.
  @Test
  void keepsTheCountsWhereAnotherDriverGoesOn() {
    var hour = Duration.ofHours(1);
    var run =
        run(
            policy(Optional.empty(), policy(2, hour, "busy"), policy(2, hour, "away")),
            _ -> next("busy", "away", "busy"));

    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    runs.pass(hour);
    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    runs.pass(hour);
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(calls).hasValue(3);
  }

  /// No attempt begins that could not begin in time; the error is that of the last attempt.
  @Test
  void stopsRetryingWhenTheNextAttemptWouldBeTooLate() {
    var run =
        run(
            policy(Optional.of(Duration.ofMinutes(90)), policy(9, Duration.ofHours(1), "busy")),
            _ -> next("busy", "busy", "busy"));

    assertThat(run.drive()).isEqualTo(RunStatus.WAITING);
    runs.pass(Duration.ofHours(1));
    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.errorCode()).isEqualTo("busy");
    assertThat(calls).hasValue(2);
  }

  @Test
  void endsTheAttemptThatRunsWhenTheTimeOfAllIsOver() {
    var run =
        run(
            policy(Optional.of(Duration.ofMillis(200)), policy(9, SOON, "node_timeout")),
            _ -> {
              new CountDownLatch(1).await();
              return set("x", 1);
            });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    var error = run.head().error().orElseThrow().error();
    assertThat(error.code()).isEqualTo("node_timeout");
    assertThat(error.details().text("kind")).isEqualTo("total");
  }

  /// A time-out of a child or a worker that comes when the time of all is over is that.
  @Test
  void namesTheTimeOfAllWhereAnotherTimeOutComesWithIt() {
    var run =
        run(
            policy(Optional.of(Duration.ofMinutes(1)), policy(9, SOON)),
            _ -> {
              runs.pass(Duration.ofMinutes(1));
              return flaky("node_timeout");
            });

    assertThat(run.drive()).isEqualTo(RunStatus.FAILED);
    assertThat(run.head().error().orElseThrow().error().details().text("kind")).isEqualTo("total");
  }

  @Test
  void takesTheElseBehindAConditionThatCannotBeComputed() {
    Condition broken =
        _ -> {
          throw new ExpressionException("expression_failed", "no such key");
        };
    var run =
        run(
            Node.Policy.DEFAULT,
            _ -> flaky("broken"),
            caught("one", broken),
            caught("two", _ -> true));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("one")).isEqualTo(Value.NULL);
    assertThat(run.state("two")).isEqualTo(Value.of(1));
  }

  @Test
  void takesTheFirstErrorEdgeThatFitsAndNoOther() {
    Condition busy =
        scope -> Value.of("busy").equals(((ObjectValue) scope.get("error")).get("code"));
    var run =
        run(
            Node.Policy.DEFAULT,
            _ -> next("busy"),
            caught("one", busy, "b*"),
            caught("two", _ -> true));
    var other =
        run(
            Node.Policy.DEFAULT,
            _ -> flaky("broken"),
            caught("one", busy, "b*"),
            caught("two", _ -> true));

    assertThat(run.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(run.state("one")).isEqualTo(Value.of(1));
    assertThat(run.state("two")).isEqualTo(Value.NULL);
    assertThat(other.drive()).isEqualTo(RunStatus.SUCCEEDED);
    assertThat(other.state("one")).isEqualTo(Value.NULL);
    assertThat(other.state("two")).isEqualTo(Value.of(1));
  }
}
