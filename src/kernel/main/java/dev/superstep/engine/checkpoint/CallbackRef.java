package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.BirthId;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.util.Optional;

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
    var kept = ObjectValue.of("id", callback.id()).plus("number", callback.number());
    return parts.plus(
        PART,
        callback.address().isEmpty()
            ? kept
            : kept.plus("address", callback.address())
                .plus("deadline", callback.deadline().toString()));
  }

  /// Its token is not kept: it derives.
  ///
  /// @return empty if it has none, or a release before has kept it
  public static Optional<KeptCallback> in(ObjectValue parts) {
    var kept = parts.objectOrEmpty(PART);
    return kept.findText("address")
        .map(it ->
            new KeptCallback(numberIn(parts), it, Instant.parse(kept.textOrEmpty("deadline"))));
  }

  /// A callback for which a task has waited.
  ///
  /// @param address where it was answered: its token comes behind
  public record KeptCallback(int number, String address, Instant deadline) {
    /// As it was when it was opened.
    public OpenCallback of(BirthId birthId, TaskKey task, int era) {
      return OpenCallback.of(birthId, task, number, era).at(address, deadline);
    }
  }

  static ObjectValue removedFrom(ObjectValue parts) {
    return parts.minus(PART);
  }

  static boolean isOf(BirthId birthId, TaskKey key, String id, ObjectValue parts) {
    return birthId.callback(key, numberIn(parts)).equals(id);
  }
}
