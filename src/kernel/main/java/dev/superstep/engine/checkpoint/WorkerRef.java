package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// How often a task was queued for workers. It is kept with the side effects of the task until that
/// is done, so that no id is used twice.
public final class WorkerRef {
  /// Reserved: no node records a side effect of that name.
  private static final String PART = "__worker";

  private WorkerRef() {}

  public static int numberIn(ObjectValue parts) {
    return parts.get(PART) instanceof Value.Int(var number) ? Math.toIntExact(number) : 0;
  }

  public static ObjectValue keptIn(ObjectValue parts, int number) {
    return parts.plus(PART, number);
  }

  static ObjectValue removedFrom(ObjectValue parts) {
    return parts.minus(PART);
  }

  static boolean isOf(BirthId birthId, TaskKey key, String task, ObjectValue parts) {
    return birthId.hasQueued(task, key, numberIn(parts));
  }
}
