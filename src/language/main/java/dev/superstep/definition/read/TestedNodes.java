package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.graph.Location;
import java.util.Map;

/// The nodes that a test may name.
///
/// @param types of all nodes, by id
record TestedNodes(Map<String, String> types) {

  void check(String node, Location at) {
    if (!types.containsKey(node)) {
      at.error(
          Codes.UNKNOWN_NODE,
          "there is no node '%s'%s".formatted(node, Suggestion.among(types.keySet(), node)));
    }
  }
}
