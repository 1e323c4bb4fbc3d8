package dev.superstep.state;

/// A merge that a user supplies, as expression or registered function (E19): pure and total.
@FunctionalInterface
public interface MergeFunction {
  /// @param left the accumulated value; [Value.Null] if the channel has none
  /// @param right the incoming value
  /// @throws ReduceException when the values cannot be merged
  Value merge(Value left, Value right);
}
