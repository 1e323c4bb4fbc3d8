package dev.superstep.engine.budget;

import dev.superstep.engine.task.TaskError;
import dev.superstep.state.value.ObjectValue;

/// What became of a run that a task has begun.
public sealed interface ChildEnd {

  /// What it has spent on models so far, with all that it has begun itself: it may be resumed.
  Usage spent();

  /// @param output the declared channels of the child's graph, else its state
  record Succeeded(ObjectValue output, Usage spent) implements ChildEnd {}

  /// It has failed or was cancelled.
  record Failed(TaskError error, Usage spent) implements ChildEnd {}
}
