package dev.superstep.checkpoint;

import dev.superstep.engine.run.ChildEnd;

/// Reads how runs started by tasks have ended.
@FunctionalInterface
public interface ChildEnds {

  /// @param run has ended
  ChildEnd read(String run);
}
