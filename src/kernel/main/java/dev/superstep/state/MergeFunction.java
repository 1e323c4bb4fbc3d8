package dev.superstep.state;

import dev.superstep.state.value.Value;

/// A merge that a user supplies, as expression or registered function (E19): pure and total. It is
/// not called for the first update of a channel without value: that one is taken as it is (E18).
@FunctionalInterface
public interface MergeFunction {
  /// @param left the accumulated value
  /// @param right the incoming value
  /// @throws ReduceException when the values cannot be merged
  Value merge(Value left, Value right);
}
