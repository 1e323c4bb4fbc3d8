package dev.superstep.state;

import dev.superstep.state.value.Value;

/// Computes the initial value of a channel that declares a default (E18).
public final class Initial {
  private Initial() {}

  /// The default as the channel would hold it, had it come as the first update: a `union` is sorted
  /// and has each value once.
  ///
  /// @throws ReduceException if the reducer could not continue from this value
  public static Value of(Reducer reducer, Value value) {
    return switch (reducer) {
      case Reducer.Messages messages -> {
        MessageShape.require(Typed.block(value, "messages"));
        yield messages.reduce(null, value);
      }
      case Reducer.BlockAppend _,
          Reducer.Union _,
          Reducer.Merge _,
          Reducer.DeepMerge _,
          Reducer.Min _,
          Reducer.Max _ ->
          reducer.reduce(null, value);
      case Reducer.Append _,
          Reducer.Sum _,
          Reducer.LastValue _,
          Reducer.FirstValue _,
          Reducer.Custom _ ->
          value;
    };
  }
}
