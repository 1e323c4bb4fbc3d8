package dev.superstep.engine.run;

/// When a committed superstep is on disk.
public enum Durability {
  /// Before the next one starts.
  SYNC,
  /// Soon: a crash may lose the last few supersteps, which then run again.
  ASYNC,
  /// When the run comes to rest: a crash loses everything since it was last at rest.
  EXIT
}
