package dev.superstep.pattern;

/// Taken again and again during long work: lets other threads have the processor, or throws when
/// nobody waits for the result any more.
@FunctionalInterface
public interface Pause {
  Pause NONE = () -> {};

  void take();
}
