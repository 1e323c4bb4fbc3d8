package dev.superstep.run;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/// Which tasks of a run to list; every condition given must hold.
///
/// @param without what is not read of them
public record TaskFilter(
    Optional<Integer> superstep,
    Optional<String> node,
    Optional<String> dispatch,
    Optional<TaskView.Status> status,
    Set<TaskPart> without) {
  public static final TaskFilter ALL =
      new TaskFilter(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Set.of());

  public TaskFilter {
    without = Set.copyOf(without);
  }

  /// Whether the tasks come without everything that may be large.
  public boolean isSlim() {
    return without.containsAll(EnumSet.allOf(TaskPart.class));
  }
}
