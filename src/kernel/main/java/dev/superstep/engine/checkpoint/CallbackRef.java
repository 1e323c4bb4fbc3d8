package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;

/// The last callback of a task for which it waited, or whose attempt has failed. It is kept with
/// the side effects of the task until that is done, so that no token is used twice.
public final class CallbackRef {
  /// Reserved: no node records a side effect of that name.
  private static final String PART = "__callback";

  private CallbackRef() {}

  public static int numberIn(ObjectValue parts) {
    return parts.objectOrEmpty(PART).get("number") instanceof Value.Int(var number)
        ? Math.toIntExact(number)
        : 0;
  }

  /// Whether a task that waits under this id waits for its callback, and not for a worker.
  public static boolean isIn(ObjectValue parts, String id) {
    return parts.objectOrEmpty(PART).isText("id", id);
  }

  public static ObjectValue keptIn(ObjectValue parts, OpenCallback callback) {
    return parts.plus(PART, ObjectValue.of("id", callback.id()).plus("number", callback.number()));
  }

  static ObjectValue removedFrom(ObjectValue parts) {
    return parts.minus(PART);
  }

  static boolean isOf(BirthId birthId, TaskKey key, String id, ObjectValue parts) {
    return birthId.callback(key, numberIn(parts)).equals(id);
  }
}
