package dev.superstep.engine.node;

/// Whether a resume call asked for a failed task to run again (E34).
public enum Release {
  FAILED,
  /// The run that it has begun continues, and so does the task (E41).
  CHILD,
  NONE
}
