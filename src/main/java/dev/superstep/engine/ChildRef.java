package dev.superstep.engine;

import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.Optional;

/// The last run that a task has begun. It is kept with the parts of the task, and so survives
/// failures, retries and crashes until the task is done.
///
/// @param number from 1
public record ChildRef(String run, int number) {
  /// Reserved: no node keeps a part of that name.
  private static final String PART = "__child";

  public static Optional<ChildRef> of(TaskRecord record) {
    return in(record.parts());
  }

  static Optional<ChildRef> in(ObjectValue parts) {
    return parts.get(PART) instanceof ObjectValue kept
            && kept.get("run") instanceof Value.Text(var run)
            && kept.get("number") instanceof Value.Int(var number)
        ? Optional.of(new ChildRef(run, Math.toIntExact(number)))
        : Optional.empty();
  }

  /// How many runs the task has begun.
  static int numberIn(ObjectValue parts) {
    return in(parts).map(ChildRef::number).orElse(0);
  }

  ObjectValue keptIn(ObjectValue parts) {
    return parts.plus(
        PART, ObjectValue.of("run", Value.of(run)).plus("number", Value.of((long) number)));
  }
}
