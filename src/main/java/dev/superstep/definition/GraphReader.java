package dev.superstep.definition;

import dev.superstep.engine.NodeRunner;
import dev.superstep.engine.Program;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Channels;
import dev.superstep.state.ValueCheck;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Reads a whole graph whose form has been checked.
final class GraphReader {
  private final ChannelReader channels;
  private final NodeReader nodes;
  private final EdgeReader edges;
  private final ContextReader contexts;
  private final SchemaReader schemas;

  GraphReader(
      ChannelReader channels,
      NodeReader nodes,
      EdgeReader edges,
      ContextReader contexts,
      SchemaReader schemas) {
    this.channels = channels;
    this.nodes = nodes;
    this.edges = edges;
    this.contexts = contexts;
    this.schemas = schemas;
  }

  /// What the graph amounts to; of use only when nothing was found wrong.
  Plan read(Fields graph, Place at) {
    var declaredChannels = channels.read(graph, at);
    var declared = GraphNames.declared(graph, declaredChannels, at);
    GraphNames.check(graph, declared, at);
    var found = readNodes(graph, declared, at);
    var program = program(graph, declaredChannels, found, readEdges(graph, declared, at));
    var inputCheck =
        graph
            .fields("input")
            .flatMap(it -> schemas.read(it, at.key("input").key("schema")))
            .orElse(ValueCheck.NONE);
    return new Plan(
        program,
        inputCheck,
        graph.fields("output").map(it -> it.texts("channels")).orElse(List.of()),
        contexts.read(graph, at.key("context")));
  }

  private Program program(
      Fields graph, Channels channels, Map<Place, Node> found, List<Edge> ways) {
    var settings = new Graph.Settings(limits(graph), breakpoints(graph), graph.has("context"));
    return new Program(
        new Graph(channels, List.copyOf(found.values()), ways, settings), runners(found, channels));
  }

  private Map<Place, Node> readNodes(Fields graph, Declared declared, Place at) {
    var found = new LinkedHashMap<Place, Node>();
    for (var item : Item.each(graph, "nodes", at)) {
      nodes.read(item.fields(), declared, item.at()).ifPresent(it -> found.put(item.at(), it));
    }
    return found;
  }

  private Map<NodeId, NodeRunner> runners(Map<Place, Node> found, Channels channels) {
    var ids = new HashSet<NodeId>();
    found.values().forEach(it -> ids.add(it.id()));
    var outline = new GraphOutline(channels, ids);
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

  private static Limits limits(Fields graph) {
    return graph
        .fields("limits")
        .map(it ->
            new Limits(
                it.count("max_supersteps"),
                it.count("max_concurrency"),
                it.count("max_dispatches"),
                it.count("max_model_calls"),
                it.integer("max_tokens"),
                it.duration("timeout")))
        .orElse(Limits.NONE);
  }

  private static Breakpoints breakpoints(Fields graph) {
    return new Breakpoints(
        new HashSet<>(graph.texts("interrupt_before")),
        new HashSet<>(graph.texts("interrupt_after")));
  }
}
