package dev.superstep.engine;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Summarizer;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.graph.Route;
import dev.superstep.graph.Target;
import dev.superstep.state.Channel;
import dev.superstep.state.Channels;
import dev.superstep.state.Reducer;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/// Builds programs out of lambdas.
public final class TestGraph {
  private final List<Channel> channels = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final List<Edge> edges = new ArrayList<>();
  private final Map<NodeId, NodeRunner> runners = new HashMap<>();
  private final List<Compaction> compactions = new ArrayList<>();
  private Graph.GraphSettings settings = Graph.GraphSettings.DEFAULT;

  /// The policy of a node while a test describes it.
  public record Policies(
      List<RetryPolicy> retries,
      Optional<Duration> timeout,
      Optional<Duration> total,
      Node.OnError onError,
      int concurrencyMax,
      boolean deferred) {
    static final Policies DEFAULT =
        new Policies(
            List.of(RetryPolicy.NEVER),
            Optional.empty(),
            Optional.empty(),
            Node.OnError.FAIL,
            0,
            false);

    public Policies attempts(int max, Duration pause) {
      return retries(new RetryPolicy(max, pause, 1, pause, 0, List.of(), List.of()));
    }

    Policies retries(RetryPolicy... each) {
      return new Policies(List.of(each), timeout, total, onError, concurrencyMax, deferred);
    }

    public Policies timeout(Duration each) {
      return new Policies(retries, Optional.of(each), total, onError, concurrencyMax, deferred);
    }

    Policies total(Duration all) {
      return new Policies(retries, timeout, Optional.of(all), onError, concurrencyMax, deferred);
    }

    public Policies goesOn() {
      return onError(Node.OnError.CONTINUE);
    }

    Policies optional() {
      return onError(Node.OnError.ARRIVE);
    }

    private Policies onError(Node.OnError way) {
      return new Policies(retries, timeout, total, way, concurrencyMax, deferred);
    }

    Policies atMost(int tasks) {
      return new Policies(retries, timeout, total, onError, tasks, deferred);
    }

    Policies defer() {
      return new Policies(retries, timeout, total, onError, concurrencyMax, true);
    }
  }

  TestGraph channel(String name, Reducer reducer) {
    channels.add(Channel.of(name, reducer));
    return this;
  }

  /// A conversation that is mirrored to `full_messages`, and compacted if anybody says so.
  public TestGraph conversation() {
    channels.add(
        new Channel(
            "messages",
            new Reducer.Messages(),
            Optional.empty(),
            false,
            Optional.of("full_messages"),
            Channel.OnConflict.LAST,
            ValueCheck.NONE));
    channels.add(
        new Channel(
            "full_messages",
            new Reducer.BlockAppend(),
            Optional.empty(),
            true,
            Optional.empty(),
            Channel.OnConflict.LAST,
            ValueCheck.NONE));
    return this;
  }

  public TestGraph compact(int messagesOver, int keepLast, Summarizer summarizer) {
    return compact(
        new Compaction.Threshold(Optional.of(messagesOver), Optional.empty(), _ -> 1),
        keepLast,
        summarizer);
  }

  public TestGraph compact(Compaction.Threshold when, int keepLast, Summarizer summarizer) {
    compactions.add(new Compaction(when, new Compactor("messages", keepLast, summarizer)));
    return this;
  }

  public TestGraph keepingContext() {
    settings =
        new Graph.GraphSettings(settings.limits(), settings.breakpoints(), true, settings.inbox());
    return this;
  }

  public TestGraph inbox(InboxPolicy policy) {
    settings =
        new Graph.GraphSettings(
            settings.limits(), settings.breakpoints(), settings.keepsContext(), policy);
    return this;
  }

  public TestGraph node(String id, NodeRunner runner) {
    return node(id, it -> it, runner);
  }

  public TestGraph node(String id, UnaryOperator<Policies> policy, NodeRunner runner) {
    return node(id, policy, Node.Routing.DEFAULT, runner);
  }

  TestGraph node(
      String id, UnaryOperator<Policies> policy, Node.Routing routing, NodeRunner runner) {
    var made = policy.apply(Policies.DEFAULT);
    var node =
        new Node(
            new NodeId(id),
            "test",
            ObjectValue.empty(),
            new Node.Policy(
                made.retries(),
                made.timeout(),
                made.total(),
                made.onError(),
                made.concurrencyMax(),
                made.deferred()),
            routing);
    nodes.add(node);
    runners.put(node.id(), runner);
    return this;
  }

  public TestGraph edge(String from, String... to) {
    return flow(from, nodes(to), Optional.empty(), 0);
  }

  TestGraph when(String from, Condition condition, String... to) {
    return flow(from, nodes(to), Optional.of(condition), 0);
  }

  TestGraph when(String from, Condition condition, double weight, String to) {
    return flow(from, nodes(to), Optional.of(condition), weight);
  }

  TestGraph route(String from, Route route) {
    return route(from, route, Map.of(), Set.of(), Optional.empty());
  }

  TestGraph routeOr(String from, Route route, String ifEmpty) {
    return route(from, route, Map.of(), Set.of(), Optional.of(new NodeId(ifEmpty)));
  }

  TestGraph route(
      String from,
      Route route,
      Map<String, NodeId> map,
      Set<NodeId> allowed,
      Optional<NodeId> ifEmpty) {
    return flow(from, new Target.Computed(route, map, allowed, ifEmpty), Optional.empty(), 0);
  }

  private TestGraph flow(String from, Target target, Optional<Condition> condition, double weight) {
    edges.add(new Edge.Flow(id(), new NodeId(from), target, condition, weight));
    return this;
  }

  TestGraph join(Edge.Join.Mode mode, List<String> from, String to) {
    edges.add(
        new Edge.Join(
            id(), from.stream().map(NodeId::new).toList(), List.of(new NodeId(to)), mode));
    return this;
  }

  TestGraph onError(String from, String to, String... codes) {
    edges.add(
        new Edge.ErrorRoute(
            id(),
            new NodeId(from),
            nodes(to),
            Optional.empty(),
            List.of(codes),
            Optional.of("problem")));
    return this;
  }

  public TestGraph breakpoints(Set<String> before, Set<String> after) {
    settings =
        new Graph.GraphSettings(
            settings.limits(),
            new Breakpoints(before, after),
            settings.keepsContext(),
            settings.inbox());
    return this;
  }

  public TestGraph limits(Limits limits) {
    settings =
        new Graph.GraphSettings(
            limits, settings.breakpoints(), settings.keepsContext(), settings.inbox());
    return this;
  }

  TestGraph superstepsMax(int max) {
    return limits(
        new Limits(
            Optional.of(max),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty()));
  }

  public Program program() {
    return new Program(
        new Graph(Channels.of(channels), nodes, edges, settings),
        Map.copyOf(runners),
        compactions,
        ContextPlan.NONE);
  }

  private String id() {
    return "e" + edges.size();
  }

  private static Target nodes(String... ids) {
    return new Target.Nodes(Stream.of(ids).map(NodeId::new).toList());
  }
}
