package dev.superstep.engine;

/// Whether a resume call asked for a failed task to run again (E34).
enum Release {
  FAILED,
  /// The run that it has begun goes on, and so does the task (E41).
  CHILD,
  NONE
}
