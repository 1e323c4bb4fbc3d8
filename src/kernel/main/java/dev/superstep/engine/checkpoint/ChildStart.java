package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.RunHeader;
import dev.superstep.graph.Limits;
import dev.superstep.state.value.ObjectValue;

/// A run that a task wants to begin and to wait for (E41). The store inserts it in the transaction
/// that records the task's outcome: neither is ever there without the other.
///
/// @param header its id is that of [NodeCall#nextChild]
/// @param limits of the child, over those of its graph
/// @param first its first checkpoint
/// @param wakesBelow its success wakes the parent when at most that many children of its node still
///   move: till then the parent could only go back to sleep. Failures and questions always wake it
public record ChildStart(
    RunHeader header, ObjectValue input, Limits limits, Commit.Write first, int wakesBelow) {

  public ChildStart wakingBelow(int siblings) {
    return new ChildStart(header, input, limits, first, siblings);
  }
}
