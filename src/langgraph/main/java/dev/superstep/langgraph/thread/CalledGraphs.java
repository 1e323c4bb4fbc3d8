package dev.superstep.langgraph.thread;

import dev.superstep.definition.GraphName;
import dev.superstep.definition.GraphRegistry;
import dev.superstep.definition.form.Fields;
import dev.superstep.langgraph.OnLangGraph;
import dev.superstep.state.value.ObjectValue;
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
    for (var it : new Fields(graph.definition()).list("nodes")) {
      if (it instanceof ObjectValue node) {
        var fields = new Fields(node);
        types.put(fields.text("id").orElse(""), fields.text("type").orElse(""));
      }
    }
    return types;
  }

  /// Node → graph, of those nodes whose graph is known before they run.
  Map<String, DefinedGraph> of(DefinedGraph graph) {
    var called = new LinkedHashMap<String, DefinedGraph>();
    for (var it : new Fields(graph.definition()).list("nodes")) {
      if (it instanceof ObjectValue node) {
        var fields = new Fields(node);
        fields
            .fields("config")
            .filter(_ -> fields.text("type").filter("subgraph"::equals).isPresent())
            .flatMap(config -> called(graph, config))
            .ifPresent(found -> called.put(fields.text("id").orElse(""), found));
      }
    }
    return called;
  }

  private Optional<DefinedGraph> called(DefinedGraph graph, Fields config) {
    var name = config.text("graph").orElse("");
    if (GraphName.isReference(name)) {
      return Optional.ofNullable(GraphName.inlineGraphs(graph.within()).get(name.substring(1)))
          .map(it -> new DefinedGraph(graph.within(), it));
    }
    var version = config.count("version");
    return version.isPresent() ? version(name, version.get()) : newest(name);
  }
}
