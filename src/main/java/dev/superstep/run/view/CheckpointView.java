package dev.superstep.run.view;

import dev.superstep.engine.task.Activation;
import dev.superstep.engine.task.TaskKey;
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
/// @param changes that it applied, in task order
public record CheckpointView(
    CheckpointSummary summary,
    List<Activation> pending,
    List<TaskView> pendingResults,
    List<InterruptView> interrupts,
    Map<String, Set<NodeId>> joins,
    List<Applied> changes,
    ObjectValue state) {
  public CheckpointView {
    pending = List.copyOf(pending);
    pendingResults = List.copyOf(pendingResults);
    interrupts = List.copyOf(interrupts);
    joins = Map.copyOf(joins);
    changes = List.copyOf(changes);
  }

  /// @param task empty for input, edits and forks
  public record Applied(Optional<TaskKey> task, Change change) {}
}
