package dev.superstep.node.spec;

import java.util.Map;

/// The table InputDefinition of the language.
public interface InputSpec {
  /// JSON Schema of a run's input
  InputSpec schema(Map<String, ?> value);
}
