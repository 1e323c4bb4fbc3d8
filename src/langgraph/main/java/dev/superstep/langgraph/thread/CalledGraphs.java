package dev.superstep.langgraph.thread;

import dev.superstep.definition.GraphName;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.tenant.Reach;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Finds the graphs that the nodes of a graph run.
@Component
@OnLangGraph
class CalledGraphs {
  private final GraphRegistry graphs;

  CalledGraphs(GraphRegistry graphs) {
    this.graphs = graphs;
  }

  /// The newest version of a stored graph.
  Optional<DefinedGraph> newest(String name) {
    return Optional.ofNullable(graphs.shown(Set.of(name)).get(name))
        .flatMap(it -> version(name, it.newest()));
  }

  private Optional<DefinedGraph> version(String name, int version) {
    return graphs
        .version(name, version)
        .map(it -> new DefinedGraph(it.definition(), it.definition()));
  }

  /// Node → type.
  Map<String, String> types(DefinedGraph graph) {
    var types = new LinkedHashMap<String, String>();
    for (var node : graph.definition().objects("nodes")) {
      types.put(node.textOrEmpty("id"), node.textOrEmpty("type"));
    }
    return types;
  }

  /// Node → graph, of those nodes whose graph is known before they run.
  Map<String, DefinedGraph> of(DefinedGraph graph) {
    var called = new LinkedHashMap<String, DefinedGraph>();
    for (var node : graph.definition().objects("nodes")) {
      node.findObject("config")
          .filter(_ -> node.isText("type", "subgraph"))
          .flatMap(config -> called(graph, config))
          .ifPresent(found -> called.put(node.textOrEmpty("id"), found));
    }
    return called;
  }

  private Optional<DefinedGraph> called(DefinedGraph graph, ObjectValue config) {
    var name = config.textOrEmpty("graph");
    if (GraphName.isReference(name)) {
      return Optional.ofNullable(GraphName.inlineGraphs(graph.within()).get(name.substring(1)))
          .map(it -> new DefinedGraph(graph.within(), it));
    }
    var stored = Reach.graph(name);
    var version = config.findInt("version");
    return version.isPresent() ? version(stored, version.get()) : newest(stored);
  }
}
