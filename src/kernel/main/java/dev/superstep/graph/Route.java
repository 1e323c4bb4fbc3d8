package dev.superstep.graph;

import dev.superstep.state.value.Value;

/// The computed target of an edge.
@FunctionalInterface
public interface Route {
  /// A node id, a dispatch object, a list of both, or null; the engine reads and checks it (E23).
  ///
  /// @throws ExpressionException if it fails
  Value route(Scope scope);
}
