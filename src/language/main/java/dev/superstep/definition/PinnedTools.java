package dev.superstep.definition;

import dev.superstep.state.value.ObjectValue;
import java.util.Map;

/// Knows what others than the operator say of the tools that a graph may call.
public interface PinnedTools {
  /// Fingerprints of what they say now, by the name of the tool: of those that the nodes of a
  /// definition name, or of all where a node names none or computes the names. Takes a while when a
  /// server does not answer.
  Map<String, String> of(ObjectValue definition);
}
