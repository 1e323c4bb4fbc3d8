package dev.superstep.node.spec;

import dev.superstep.node.NodeFunction;
import java.util.Map;

/// Calls a Java function: a Spring bean that implements NodeFunction. GET /v1/functions lists them.
public interface FunctionConfig {
  /// What the function gets besides state and input; templates.
  FunctionConfig arguments(Map<String, ?> value);

  /// What the function gets besides state and input; templates.
  FunctionConfig arguments(String value);

  /// The function's name, which is its bean name.
  FunctionConfig function(String value);

  /// The function's name, which is its bean name.
  FunctionConfig function(NodeFunction value);

  /// Whether the function neither blocks nor has effects, so that its result need not be recorded.
  /// Default: what the function says of itself.
  FunctionConfig pure(boolean value);
}
