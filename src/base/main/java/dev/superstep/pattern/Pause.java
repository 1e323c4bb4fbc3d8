package dev.superstep.pattern;

/// Called repeatedly during long work: yields the processor to other threads, or throws when the
/// work has been abandoned.
@FunctionalInterface
public interface Pause {
  Pause NONE = () -> {};

  void take();
}
