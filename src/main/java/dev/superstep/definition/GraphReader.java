package dev.superstep.definition;

import dev.superstep.engine.Compaction;
import dev.superstep.engine.Compactor;
import dev.superstep.engine.NodeRunner;
import dev.superstep.engine.Program;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Channels;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.ValueCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Reads a whole graph whose form has been checked.
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
      LimitReader limits,
      CompactionReader compactions,
      ToolDefinitions tools) {}

  GraphReader(ChannelReader channels, NodeReader nodes, EdgeReader edges, Values values) {
    this.channels = channels;
    this.nodes = nodes;
    this.edges = edges;
    this.values = values;
  }

  /// What the graph amounts to; of use only when nothing was found wrong.
  Plan read(Fields graph, Place at) {
    var declaredChannels = channels.read(graph, at);
    var declared = GraphNames.declared(graph, declaredChannels, at);
    GraphNames.check(graph, declared, at);
    var compactions = values.compactions().read(graph, at);
    var outline = outline(graph, at, declaredChannels, declared, compactions);
    var found = readNodes(graph, declared, at);
    var ways = readEdges(graph, declared, at);
    var settings =
        new Graph.Settings(limits(graph, at), breakpoints(graph), ContextRules.areKept(graph, at));
    var program =
        new Program(
            new Graph(declaredChannels, List.copyOf(found.values()), ways, settings),
            runners(found, outline),
            compactions,
            values.rules().read(graph, at));
    var inputCheck =
        graph
            .fields("input")
            .flatMap(it -> values.schemas().read(it, at.key("input").key("schema")))
            .orElse(ValueCheck.NONE);
    return new Plan(
        program,
        inputCheck,
        graph.fields("output").map(it -> it.texts("channels")).orElse(List.of()),
        values.contexts().read(graph, at.key("context")));
  }

  private Limits limits(Fields graph, Place at) {
    return graph
        .fields("limits")
        .map(it -> values.limits().read(it, at.key("limits")))
        .orElse(Limits.NONE);
  }

  private ObjectValue tools(Fields graph, Place at) {
    var tools = graph.objectOr("tools", ObjectValue.empty());
    values.tools().check(tools).forEach(at.key("tools")::error);
    return tools;
  }

  /// What is declared, also where something else about it is wrong: one mistake, one problem.
  private GraphOutline outline(
      Fields graph, Place at, Channels channels, Declared declared, List<Compaction> compactions) {
    var ids = declared.nodes().stream().filter(NodeId::isValid).map(NodeId::new);
    var compactors =
        compactions.stream()
            .map(Compaction::compactor)
            .collect(Collectors.toMap(Compactor::channel, it -> it));
    return new GraphOutline(
        graph.text("name").orElse(""),
        channels,
        ids.collect(Collectors.toSet()),
        compactors,
        tools(graph, at));
  }

  private Map<Place, Node> readNodes(Fields graph, Declared declared, Place at) {
    var found = new LinkedHashMap<Place, Node>();
    for (var item : Item.each(graph, "nodes", at)) {
      nodes.read(item.fields(), declared, item.at()).ifPresent(it -> found.put(item.at(), it));
    }
    return found;
  }

  private Map<NodeId, NodeRunner> runners(Map<Place, Node> found, GraphOutline outline) {
    var runners = new LinkedHashMap<NodeId, NodeRunner>();
    found.forEach((place, node) ->
        nodes.runner(node, outline, place).ifPresent(it -> runners.put(node.id(), it)));
    return runners;
  }

  private List<Edge> readEdges(Fields graph, Declared declared, Place at) {
    var ids = EdgeIds.of(graph.list("edges"));
    var found = new ArrayList<Edge>();
    for (var item : Item.each(graph, "edges", at)) {
      edges.read(ids.get(item.index()), item.fields(), declared, item.at()).ifPresent(found::add);
    }
    return found;
  }

  private static Breakpoints breakpoints(Fields graph) {
    return new Breakpoints(
        new HashSet<>(graph.texts("interrupt_before")),
        new HashSet<>(graph.texts("interrupt_after")));
  }
}
