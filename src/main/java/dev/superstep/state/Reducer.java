package dev.superstep.state;

/// How a channel takes one update (E16). Called in task order on one thread.
public sealed interface Reducer {
  record LastValue() implements Reducer {}

  record FirstValue() implements Reducer {}

  /// Takes one item or a list.
  record Append() implements Reducer {}

  /// Takes a list only.
  record BlockAppend() implements Reducer {}

  /// Block append with upsert by message `id`.
  record Messages() implements Reducer {}

  record Merge() implements Reducer {}

  record DeepMerge() implements Reducer {}

  record Sum() implements Reducer {}

  record Min() implements Reducer {}

  record Max() implements Reducer {}

  record Union() implements Reducer {}

  /// A user's merge; its result is stored with the delta, so that reading history never runs it.
  record Custom(String name, MergeFunction function) implements Reducer {}
}
