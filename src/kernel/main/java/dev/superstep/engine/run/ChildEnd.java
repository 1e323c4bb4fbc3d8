package dev.superstep.engine.run;

import dev.superstep.state.value.ObjectValue;

/// How a run that a task has begun ended.
public sealed interface ChildEnd {

  /// What it and its own child runs have spent on models so far: it may be resumed.
  Usage spent();

  /// @param output the declared channels of the child's graph, else its state
  record Succeeded(ObjectValue output, Usage spent) implements ChildEnd {}

  /// The run failed or was cancelled.
  record Failed(TaskError error, Usage spent) implements ChildEnd {}
}
