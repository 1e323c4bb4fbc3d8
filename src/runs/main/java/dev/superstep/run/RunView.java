package dev.superstep.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.Spending;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;

/// A run with input and output, as clients see it.
///
/// @param params as pinned at its start; empty: its graph has none
/// @param output only of a run that succeeded: the declared channels, else the state
/// @param interrupts the open ones, in the order of their nodes, then as they were asked
/// @param failedTasks what a `resume` would run again
/// @param spent on models so far
public record RunView(
    RunSummary summary,
    ObjectValue input,
    ObjectValue params,
    Optional<Value> output,
    List<StoredInterrupt> interrupts,
    List<TaskView> failedTasks,
    Spending spent) {
  public RunView {
    interrupts = List.copyOf(interrupts);
    failedTasks = List.copyOf(failedTasks);
  }
}
