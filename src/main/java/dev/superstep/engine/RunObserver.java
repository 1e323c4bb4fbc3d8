package dev.superstep.engine;

/// Receives what happens to tasks while it happens: live events, stored nowhere. It must not block.
@FunctionalInterface
public interface RunObserver {
  RunObserver NONE = (_, _, _) -> {};

  /// @param type `task.started`, `task.retrying`, `task.succeeded`
  void observe(String run, String type, TaskKey task);
}
