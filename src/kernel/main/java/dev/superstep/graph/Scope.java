package dev.superstep.graph;

import dev.superstep.state.value.Value;

/// The variables of an expression by name, looked up only when used.
///
/// Names: `state`, `input`, `dispatch`, `resume`, `template`, `variables`, `metadata`, `history`,
/// `params`, `run`, `node`, `error`, `response`, `now`. The expression language builds `context`
/// from `variables` and `metadata`, whose keys are dotted.
@FunctionalInterface
public interface Scope {
  /// The variable, or [Value.Null] where it has no value here.
  Value get(String variable);

  /// This scope with one variable replaced.
  default Scope with(String variable, Value value) {
    return name -> name.equals(variable) ? value : get(name);
  }
}
