package dev.superstep.run.store;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.TaskKey;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/// Reads the known tasks of a run's open superstep.
@Component
public class HeldTasks {
  private final Checkpoints checkpoints;

  HeldTasks(Checkpoints checkpoints) {
    this.checkpoints = checkpoints;
  }

  /// The last record of each task, whether a checkpoint holds it or it was recorded while siblings
  /// were open.
  ///
  /// @param committed the run's last committed superstep
  public Map<TaskKey, TaskRecord> of(String run, int committed) {
    var held = new LinkedHashMap<TaskKey, TaskRecord>();
    for (var checkpoint : checkpoints.holding(run, committed)) {
      checkpoint.delta().tasks().forEach(it -> held.put(it.key(), it));
    }
    checkpoints.recorded(run, committed + 1).forEach(it -> held.put(it.key(), it));
    return held;
  }

  /// The tasks that a resume would run again (E34).
  public static List<TaskRecord> failed(Collection<TaskRecord> held) {
    return held.stream()
        .filter(it ->
            it.status() instanceof TaskStatus.Failed || it.status() instanceof TaskStatus.Rejected)
        .toList();
  }
}
