package dev.superstep.context;

import dev.superstep.state.value.Value;

/// The variables that conditions of filters see besides the prompt context: `state`, `input`,
/// `dispatch`, `resume`, `run`, `node`, `now`, looked up only when used. A scope of the engine fits
/// as `scope::get`.
@FunctionalInterface
public interface ConditionScope {
  ConditionScope NONE = _ -> Value.NULL;

  /// The variable, or [Value.Null] where it has no value.
  Value get(String variable);
}
