package dev.superstep.checkpoint.work;

import dev.superstep.engine.run.Lease;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/// A slice that one replica may execute.
///
/// @param token of its claim: a later one supersedes it
/// @param repeated whether it was claimed before, so that some of its outcomes may be recorded
public record TakenSlice(
    String id, UUID token, WideSuperstep of, boolean repeated, SliceWork work) {

  /// @param checkpoint that its superstep builds on
  /// @param lanes most slices of the superstep to be executed at a time; empty: any
  /// @param quota most tasks at a time
  /// @param tasks indexes in the superstep as planned
  public record SliceWork(int checkpoint, Optional<Integer> lanes, int quota, List<Integer> tasks) {
    public SliceWork {
      tasks = List.copyOf(tasks);
    }

    ObjectValue payload() {
      var payload =
          ObjectValue.of("checkpoint", checkpoint)
              .plus("quota", quota)
              .plus("tasks", ListValue.of(tasks.stream().map(Value::of).toList()));
      return lanes.map(it -> payload.plus("lanes", it)).orElse(payload);
    }

    static SliceWork of(ObjectValue payload) {
      return new SliceWork(
          integer(payload.getOr("checkpoint", Value.NULL)),
          Optional.ofNullable(payload.get("lanes")).map(SliceWork::integer),
          integer(payload.getOr("quota", Value.NULL)),
          ListValue.orEmpty(payload.get("tasks")).stream().map(SliceWork::integer).toList());
    }

    private static int integer(Value value) {
      return Math.toIntExact(((Value.Int) value).value());
    }
  }

  static TakenSlice of(ClaimedTask task) {
    var lease = new Lease(task.origin().run(), Long.parseLong(task.attempt().idempotencyKey()));
    return new TakenSlice(
        task.id(),
        task.token(),
        new WideSuperstep(lease, task.origin().task().superstep()),
        task.attempt().repeated(),
        SliceWork.of(task.payload()));
  }

  @Override
  public String toString() {
    return "slice %s of %s".formatted(id.substring(id.lastIndexOf('/') + 1), of);
  }
}
