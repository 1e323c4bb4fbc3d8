package dev.superstep.engine;

import dev.superstep.state.ObjectValue;

/// What became of a run that a task has begun.
public sealed interface ChildEnd {

  /// @param output the declared channels of the child's graph, else its state
  record Succeeded(ObjectValue output) implements ChildEnd {}

  /// It has failed or was cancelled.
  record Failed(TaskError error) implements ChildEnd {}
}
