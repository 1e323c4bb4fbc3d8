package dev.superstep.langgraph.thread;

import dev.superstep.compute.RequestWork;
import dev.superstep.definition.read.DrawnGraph;
import dev.superstep.definition.read.DrawnGraph.DrawnEdge;
import dev.superstep.graph.NodeId;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Writes a graph as nodes and edges, with the graphs that its nodes run opened up to a depth:
/// their nodes stand in place of the node, named `node:inner`.
final class GraphForm {
  private static final int NODES_MAX = 2_000;

  /// What an edge costs: it is made, compared, and written with the names of two nodes.
  private static final int EDGE = 100;

  /// What a graph costs that is opened: it may have to be read.
  private static final int GRAPH = 10_000;

  private static final String START = NodeId.START.value();
  private static final String END = NodeId.END.value();
  private final CalledGraphs called;
  private final RequestWork work = RequestWork.current();
  private final Map<String, String> types = new LinkedHashMap<>();

  GraphForm(CalledGraphs called) {
    this.called = called;
  }

  private record Opened(Set<String> nodes, Set<DrawnEdge> edges) {}

  /// @param depth of the graphs that are opened; 0: none
  ObjectValue write(DefinedGraph graph, int depth) {
    var opened = open(graph, "", depth);
    var nodes = ListValue.builder();
    opened.nodes().forEach(it -> nodes.add(node(it)));
    var edges = ListValue.builder();
    opened.edges().forEach(it -> edges.add(edge(it)));
    return ObjectValue.of("nodes", nodes.build()).plus("edges", edges.build());
  }

  private ObjectValue node(String id) {
    boolean boundary = id.equals(START) || id.equals(END);
    var type = types.getOrDefault(id, "");
    return ObjectValue.of("id", id)
        .plus("type", boundary ? "schema" : "runnable")
        .plus(
            "data",
            boundary
                ? Value.of(id)
                : ObjectValue.of("id", ListValue.texts("superstep", type)).plus("name", id));
  }

  private static ObjectValue edge(DrawnEdge edge) {
    var written = ObjectValue.of("source", edge.source()).plus("target", edge.target());
    if (!edge.label().isEmpty()) {
      written = written.plus("data", edge.label());
    }
    return edge.conditional() ? written.plus("conditional", Value.TRUE) : written;
  }

  private Opened open(DefinedGraph graph, String prefix, int depth) {
    work.accept(GRAPH);
    var drawn = DrawnGraph.of(graph.definition(), it -> work.accept(it * EDGE));
    var nodes = new LinkedHashSet<String>();
    drawn.nodes().forEach(it -> nodes.add(prefix + it));
    var edges = new LinkedHashSet<DrawnEdge>();
    drawn
        .edges()
        .forEach(it ->
            edges.add(
                new DrawnEdge(
                    prefix + it.source(), prefix + it.target(), it.label(), it.conditional())));
    called.types(graph).forEach((node, type) -> types.put(prefix + node, type));
    var whole = new Opened(nodes, edges);
    for (var inner :
        depth > 0 ? called.of(graph).entrySet() : Set.<Map.Entry<String, DefinedGraph>>of()) {
      var node = prefix + inner.getKey();
      whole = inPlace(whole, node, open(inner.getValue(), node + ":", depth - 1));
      if (whole.nodes().size() > NODES_MAX) {
        throw new ServiceException(
            ErrorCode.LIMIT_EXCEEDED,
            "opened, the graph has more than %d nodes; ask for a smaller depth"
                .formatted(NODES_MAX));
      }
    }
    return whole;
  }

  private Opened inPlace(Opened outer, String node, Opened inner) {
    var start = node + ":" + START;
    var end = node + ":" + END;
    var entries = inner.edges().stream().filter(it -> it.source().equals(start)).toList();
    var exits = inner.edges().stream().filter(it -> it.target().equals(end)).toList();
    work.accept((long) EDGE * (outer.edges().size() + inner.edges().size()));
    var edges = new LinkedHashSet<>(inner.edges());
    entries.forEach(edges::remove);
    exits.forEach(edges::remove);
    for (var it : outer.edges()) {
      var targets = targets(it, node, entries);
      for (var source : sources(it, node, exits)) {
        work.accept((long) EDGE * targets.size());
        for (var target : targets) {
          edges.add(new DrawnEdge(source, target, it.label(), it.conditional()));
        }
      }
    }
    var nodes = new LinkedHashSet<String>();
    for (var it : outer.nodes()) {
      nodes.addAll(it.equals(node) ? inner.nodes() : Set.of(it));
    }
    nodes.remove(start);
    nodes.remove(end);
    return new Opened(nodes, edges);
  }

  private static List<String> sources(DrawnEdge edge, String node, List<DrawnEdge> exits) {
    return edge.source().equals(node)
        ? exits.stream().map(DrawnEdge::source).distinct().toList()
        : List.of(edge.source());
  }

  private static List<String> targets(DrawnEdge edge, String node, List<DrawnEdge> entries) {
    return edge.target().equals(node)
        ? entries.stream().map(DrawnEdge::target).distinct().toList()
        : List.of(edge.target());
  }
}
