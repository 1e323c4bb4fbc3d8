package dev.superstep.engine.run;

import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import java.util.Optional;

/// Something that happened in a run. Stored ones get their number and time with the commit.
///
/// @param type `run.started`, `superstep.committed`, `task.failed`, …
public record Event(
    String type,
    Optional<Integer> superstep,
    Optional<NodeId> node,
    Optional<String> dispatchId,
    ObjectValue data) {

  public static Event of(String type, ObjectValue data) {
    return new Event(type, Optional.empty(), Optional.empty(), Optional.empty(), data);
  }

  public static Event of(String type, int superstep, ObjectValue data) {
    return new Event(type, Optional.of(superstep), Optional.empty(), Optional.empty(), data);
  }

  public static Event of(String type, TaskKey task, ObjectValue data) {
    return new Event(
        type,
        Optional.of(task.superstep()),
        Optional.of(task.node()),
        Optional.ofNullable(task.dispatchId()),
        data);
  }
}
