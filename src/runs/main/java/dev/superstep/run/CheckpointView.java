package dev.superstep.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A checkpoint with everything in it (E44).
///
/// @param pendingResults tasks of the held superstep
/// @param joins partly satisfied joins: edge id → sources that have arrived
/// @param due keys of the tasks that `pending` stands for, in task order
/// @param edit the input or the edit that it applied
/// @param ended all tasks of the superstep that it committed, in task order; none if it holds one
public record CheckpointView(
    CheckpointSummary summary,
    List<Activation> pending,
    List<TaskKey> due,
    List<TaskView> pendingResults,
    List<StoredInterrupt> interrupts,
    Map<String, Set<NodeId>> joins,
    Optional<Change> edit,
    List<TaskEnd> ended,
    ObjectValue state) {
  public CheckpointView {
    pending = List.copyOf(pending);
    pendingResults = List.copyOf(pendingResults);
    interrupts = List.copyOf(interrupts);
    joins = Map.copyOf(joins);
    due = List.copyOf(due);
    ended = List.copyOf(ended);
  }

  /// Whether it has changed the state.
  public boolean changesState() {
    return edit.isPresent() || ended.stream().anyMatch(it -> !it.changes().isEmpty());
  }
}
