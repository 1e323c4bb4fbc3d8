package dev.superstep.engine;

import dev.superstep.state.ObjectValue;

/// Receives what happens to tasks while it happens: live events, stored nowhere. It must not block,
/// and is called from any thread.
@FunctionalInterface
public interface RunObserver {
  RunObserver NONE = (_, _, _, _) -> {};

  /// @param type `task.started`, `task.retrying`, `task.succeeded`, `context.filtered`
  /// @param data of the event; `{}` if its type says it all
  void observe(String run, String type, TaskKey task, ObjectValue data);
}
