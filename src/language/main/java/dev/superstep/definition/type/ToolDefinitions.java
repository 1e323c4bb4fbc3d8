package dev.superstep.definition.type;

import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;

/// Checks the `tools` that graphs declare.
@FunctionalInterface
public interface ToolDefinitions {

  /// Reports errors beyond the schema. No effects.
  ///
  /// @param graph the name of the graph that declares them
  /// @param at of the tools
  void check(ObjectValue tools, String graph, Location at);
}
