package dev.superstep.expression;

import dev.superstep.graph.Scope;
import dev.superstep.state.value.Value;

/// A compiled expression: immutable, free to share between threads, total and bounded.
@FunctionalInterface
public interface Expression {
  /// @throws dev.superstep.graph.ExpressionException if it fails, with code `expression_failed`,
  ///   `expression_too_large` or `not_json`
  Value evaluate(Scope scope);
}
