package dev.superstep.engine;

import dev.superstep.context.ContextCache;
import dev.superstep.context.ContextCondition;
import dev.superstep.context.ContextLibrary;
import dev.superstep.context.ContextRuleReader;
import dev.superstep.context.EdgeContext;
import dev.superstep.context.NodeContext;
import dev.superstep.context.Processors;
import dev.superstep.context.PromptContext;
import dev.superstep.context.Transforms;
import dev.superstep.engine.ContextPlan.EdgeRule;
import dev.superstep.engine.ContextPlan.PlanMode;
import dev.superstep.engine.ContextPlan.Unfit;
import dev.superstep.engine.node.NodeCall;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Violations;
import dev.superstep.state.Change;
import dev.superstep.state.GraphState;
import dev.superstep.state.value.Canonical;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.state.value.ValueText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/// A [TestGraph] that says what becomes of the prompt context, and nodes that tell what they saw.
public final class ContextGraph {
  /// Conditions of these tests are the name of a variable that must be true; `fails` fails.
  private static final ContextLibrary LIBRARY =
      new ContextLibrary(
          source ->
              new ContextCondition(
                  source,
                  (context, _) -> {
                    if (source.equals("fails")) {
                      throw new IllegalStateException("it fails");
                    }
                    return Value.TRUE.equals(context.variables().get(source));
                  }),
          Transforms.BUILT_IN,
          Processors.of(
              Map.of(
                  "broken",
                  (_, _) -> {
                    throw new IllegalStateException("no luck");
                  })),
          Map.of(),
          ContextCache.NONE);

  private final ContextRuleReader reader = new ContextRuleReader(LIBRARY);
  private final Map<NodeId, NodeContext> nodes = new HashMap<>();
  private final Map<String, EdgeContext> edges = new HashMap<>();
  private final Map<String, Unfit> unfit = new HashMap<>();
  private final Map<String, PromptContext> seen = new ConcurrentHashMap<>();
  private PlanMode mode = PlanMode.VIEW;

  public static ObjectValue json(String text) {
    return (ObjectValue) ValueText.read(text.replace('\'', '"'));
  }

  /// A run's context with these variables, a template and one entry.
  public static RunStart.StartState origin(String variables) {
    var entry = json("{'id': 'h-0', 'node_id': 'before', 'superstep': 0, 'metadata': {}}");
    var context =
        new PromptContext(
            "template",
            json(variables),
            ListValue.of(entry),
            ListValue.texts("2026-01-01T00:00:00Z"),
            ObjectValue.of("meta", Value.of("data")));
    return new RunStart.StartState(GraphState.empty(), Optional.of(context));
  }

  public ContextGraph chain() {
    mode = PlanMode.CHAIN;
    return this;
  }

  public ContextGraph node(String id, String rules) {
    nodes.put(new NodeId(id), reader.node(json(rules), new Violations().root()));
    return this;
  }

  ContextGraph edge(String id, String rules) {
    edges.put(id, reader.edge(json(rules), new Violations().root()));
    return this;
  }

  /// The edge is not taken where its target lacks context.
  ContextGraph skip(String id) {
    unfit.put(id, Unfit.SKIPPED);
    return this;
  }

  /// A node that looks, and sets these variables.
  public NodeRunner looks(String variables) {
    return call -> {
      note(call);
      return new Outcome.Done(
          new NodeResult(Change.NONE, null, List.of(), json(variables), null, null));
    };
  }

  public NodeRunner looks() {
    return looks("{}");
  }

  void note(NodeCall call) {
    var dispatch = call.task().dispatch();
    var name = call.task().key().node().value();
    seen.put(dispatch == null ? name : name + ":" + dispatch.id(), call.context());
  }

  /// The tasks that looked, as `node` or `node:dispatch`.
  Set<String> names() {
    return Set.copyOf(seen.keySet());
  }

  PromptContext seen(String node) {
    return seen.getOrDefault(node, PromptContext.EMPTY);
  }

  /// The keys of the variables that a node saw, in order.
  public String keys(String node) {
    return String.join(" ", new TreeMap<>(seen(node).variables().asMap()).keySet());
  }

  /// The nodes whose entries a node saw.
  public String entries(String node) {
    return seen(node).history().stream()
        .map(it -> Canonical.text(((ObjectValue) it).getOr("node_id", Value.NULL)))
        .collect(Collectors.joining(" "))
        .replace("\"", "");
  }

  public Program program(TestGraph graph) {
    var program = graph.program();
    var rules = new LinkedHashMap<String, EdgeRule>();
    for (var edge : edges(program.graph())) {
      var byDefault =
          edge instanceof Edge.ErrorRoute
              ? reader.edge(json("{'type': 'error'}"), new Violations().root())
              : EdgeContext.PASS_ALL;
      rules.put(
          edge.id(),
          new EdgeRule(
              rules.size(),
              edges.getOrDefault(edge.id(), byDefault),
              unfit.getOrDefault(edge.id(), Unfit.TAKEN)));
    }
    return new Program(
        program.graph(),
        program.runners(),
        program.compactions(),
        new ContextPlan(mode, nodes, rules, dev.superstep.context.HistoryLimit.DEFAULT));
  }

  private static List<Edge> edges(Graph graph) {
    var all = new TreeMap<Integer, Edge>();
    var sources = new ArrayList<NodeId>();
    sources.add(NodeId.START);
    graph.nodes().forEach(it -> sources.add(it.id()));
    for (var source : sources) {
      graph.flowsFrom(source).forEach(it -> all.put(place(it), it));
      graph.errorEdgesFrom(source).forEach(it -> all.put(place(it), it));
    }
    graph.joins().forEach(it -> all.put(place(it), it));
    return List.copyOf(all.values());
  }

  private static int place(Edge edge) {
    return Integer.parseInt(edge.id().substring(1));
  }
}
