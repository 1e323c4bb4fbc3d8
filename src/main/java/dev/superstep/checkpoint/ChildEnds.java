package dev.superstep.checkpoint;

import dev.superstep.engine.budget.ChildEnd;

/// Reads what became of runs that tasks have begun.
@FunctionalInterface
public interface ChildEnds {

  /// @param run has ended
  ChildEnd read(String run);
}
