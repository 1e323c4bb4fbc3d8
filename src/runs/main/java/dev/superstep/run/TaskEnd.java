package dev.superstep.run;

import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.run.TaskView.Status;
import dev.superstep.state.Change;
import java.util.List;
import java.util.Optional;

/// How a task has ended, as it is stored with a commit.
///
/// @param status `SUCCEEDED`, `HANDLED` or `FAILED`
/// @param changes what it adds to the state, those first that came with its questions; empty: it
///   has changed nothing
/// @param error that it failed with, handled or not
/// @param child the last run that it has begun, if it has
public record TaskEnd(
    TaskKey task,
    Status status,
    List<Change> changes,
    Optional<TaskError> error,
    Optional<String> child) {
  public TaskEnd {
    changes = List.copyOf(changes);
  }

  /// What it has changed in the end; empty if nothing.
  public Change last() {
    return changes.isEmpty() ? Change.NONE : changes.getLast();
  }
}
