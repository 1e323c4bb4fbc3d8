package dev.superstep.definition.form;

import dev.superstep.definition.GraphName;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import java.util.function.BiFunction;

/// Expands the inline graphs of a definition.
final class InlineGraphs {
  private InlineGraphs() {}

  /// The definition with each of its inline graphs replaced.
  static ObjectValue each(
      ObjectValue definition,
      Location at,
      BiFunction<ObjectValue, Location, ObjectValue> expansion) {
    var graphs = GraphName.inlineGraphs(definition);
    if (graphs.isEmpty()) {
      return definition;
    }
    var expanded = ObjectValue.empty();
    for (var graph : graphs.entrySet()) {
      var here = at.key(GraphName.GRAPHS).key(graph.getKey());
      expanded = expanded.plus(graph.getKey(), expansion.apply(graph.getValue(), here));
    }
    return definition.plus(GraphName.GRAPHS, expanded);
  }

  /// What is wrong with something inherited was written in the definition around.
  static void inherit(ObjectValue definition, Location at, Origins.Builder origins) {
    for (var graph : GraphName.inlineGraphs(definition).entrySet()) {
      for (var key : GraphName.INHERITED) {
        if (!graph.getValue().has(key)) {
          origins.moved(
              at.key(GraphName.GRAPHS).key(graph.getKey()).key(key), at.key(key).pointer());
        }
      }
    }
  }
}
