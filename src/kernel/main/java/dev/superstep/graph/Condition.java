package dev.superstep.graph;

/// The condition of an edge.
@FunctionalInterface
public interface Condition {
  /// @throws ExpressionException if it fails or is not a boolean
  boolean test(Scope scope);
}
