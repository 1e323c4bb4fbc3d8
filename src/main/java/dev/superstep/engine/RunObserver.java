package dev.superstep.engine;

/// Receives what happens in runs while it happens: live events, stored nowhere. It must not block.
@FunctionalInterface
public interface RunObserver {
  RunObserver NONE = (_, _) -> {};

  void observe(String run, Event event);
}
