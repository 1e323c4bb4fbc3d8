package dev.superstep.definition.read;

import dev.superstep.definition.check.DeclaredNames;
import dev.superstep.definition.check.GraphNames;
import dev.superstep.definition.check.GraphPlan;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.SchemaReader;
import dev.superstep.definition.type.ToolDefinitions;
import dev.superstep.engine.Compaction;
import dev.superstep.engine.Compactor;
import dev.superstep.engine.Program;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Channels;
import dev.superstep.state.ValueCheck;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Reads a whole graph that satisfies the schema.
final class GraphReader {
  private final ChannelReader channels;
  private final NodeReader nodes;
  private final EdgeReader edges;
  private final Values values;

  /// What reads the single values of a graph.
  record Values(
      ContextReader contexts,
      ContextRules rules,
      SchemaReader schemas,
      ParamReader params,
      LimitReader limits,
      CompactionReader compactions,
      ToolDefinitions tools) {}

  GraphReader(ChannelReader channels, NodeReader nodes, EdgeReader edges, Values values) {
    this.channels = channels;
    this.nodes = nodes;
    this.edges = edges;
    this.values = values;
  }

  /// The compiled graph; usable only if no error was found.
  GraphPlan read(ObjectValue graph, Location at) {
    var declaredChannels = channels.read(graph, at);
    var declaredNames = GraphNames.declared(graph, declaredChannels, at);
    GraphNames.check(graph, declaredNames, at);
    var compactions = values.compactions().read(graph, at);
    var outline = outline(graph, at, declaredChannels, declaredNames, compactions);
    var found = readNodes(graph, declaredNames, at);
    var ways = readEdges(graph, declaredNames, at);
    var settings =
        new Graph.GraphSettings(
            limits(graph, at),
            breakpoints(graph),
            ContextRules.areKept(graph, at),
            inbox(new Item(graph, at).in("inbox")));
    var program =
        new Program(
            new Graph(declaredChannels, List.copyOf(found.values()), ways, settings),
            runners(found, outline),
            compactions,
            values.rules().read(graph, at));
    var inputCheck =
        values
            .schemas()
            .read(graph.objectOrEmpty("input"), at.key("input").key("schema"))
            .orElse(ValueCheck.NONE);
    return new GraphPlan(
        program,
        inputCheck,
        graph.objectOrEmpty("output").texts("channels"),
        values.contexts().read(graph, at.key("context")),
        values.params().read(graph, at));
  }

  private Limits limits(ObjectValue graph, Location at) {
    return graph.has("limits")
        ? values.limits().read(new Item(graph, at).in("limits"))
        : Limits.NONE;
  }

  private static InboxPolicy inbox(Item inbox) {
    var node = inbox.findText("node").filter(NodeId::isValid).map(NodeId::new);
    return new InboxPolicy(
        inbox.findText("channel"),
        node,
        inbox.findText("at").filter("end_of_turn"::equals).isPresent()
            ? InboxPolicy.At.END_OF_TURN
            : InboxPolicy.At.NEXT_SUPERSTEP,
        inbox.findText("take").filter("one"::equals).isPresent()
            ? InboxPolicy.AtOnce.ONE
            : InboxPolicy.AtOnce.ALL,
        inbox.isTrue("resumes") ? InboxPolicy.IfAtRest.RESUME : InboxPolicy.IfAtRest.WAIT);
  }

  private ObjectValue tools(ObjectValue graph, Location at) {
    var tools = graph.objectOrEmpty("tools");
    values.tools().check(tools, graph.textOrEmpty("name"), at.key("tools"));
    return tools;
  }

  /// The declared names, also of invalid declarations: one mistake, one problem.
  private GraphOutline outline(
      ObjectValue graph,
      Location at,
      Channels channels,
      DeclaredNames declaredNames,
      List<Compaction> compactions) {
    var ids = declaredNames.nodes().stream().filter(NodeId::isValid).map(NodeId::new);
    var compactors =
        compactions.stream()
            .map(Compaction::compactor)
            .collect(Collectors.toMap(Compactor::channel, it -> it));
    return new GraphOutline(
        graph.textOrEmpty("name"),
        channels,
        ids.collect(Collectors.toSet()),
        compactors,
        tools(graph, at));
  }

  private Map<Location, Node> readNodes(
      ObjectValue graph, DeclaredNames declaredNames, Location at) {
    var found = new LinkedHashMap<Location, Node>();
    for (var item : Item.each(graph, "nodes", at)) {
      nodes.read(item, declaredNames).ifPresent(it -> found.put(item.at(), it));
    }
    return found;
  }

  private Map<NodeId, NodeRunner> runners(Map<Location, Node> found, GraphOutline outline) {
    var runners = new LinkedHashMap<NodeId, NodeRunner>();
    found.forEach((location, node) ->
        nodes.runner(node, outline, location).ifPresent(it -> runners.put(node.id(), it)));
    return runners;
  }

  private List<Edge> readEdges(ObjectValue graph, DeclaredNames declaredNames, Location at) {
    var ids = EdgeIds.of(graph.listOrEmpty("edges"));
    var found = new ArrayList<Edge>();
    for (var item : Item.each(graph, "edges", at)) {
      edges.read(ids.get(item.index()), item, declaredNames).ifPresent(found::add);
    }
    return found;
  }

  private static Breakpoints breakpoints(ObjectValue graph) {
    return new Breakpoints(
        new HashSet<>(graph.texts("interrupt_before")),
        new HashSet<>(graph.texts("interrupt_after")));
  }
}
