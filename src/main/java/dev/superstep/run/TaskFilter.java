package dev.superstep.run;

import dev.superstep.run.view.TaskView;
import java.util.Optional;

/// Which tasks of a run to list; every condition given must hold.
public record TaskFilter(
    Optional<Integer> superstep, Optional<String> node, Optional<TaskView.Status> status) {
  public static final TaskFilter ALL =
      new TaskFilter(Optional.empty(), Optional.empty(), Optional.empty());
}
