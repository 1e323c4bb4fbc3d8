package dev.superstep.engine.node;

import dev.superstep.engine.task.TaskKey;
import dev.superstep.state.value.ObjectValue;

/// Receives what happens to tasks while it happens: live events, stored nowhere. It must not block,
/// and is called from any thread.
@FunctionalInterface
public interface RunObserver {
  RunObserver NONE =
      new RunObserver() {
        @Override
        public boolean watches(String run) {
          return false;
        }

        @Override
        public void observe(String run, String type, TaskKey task, ObjectValue data) {
          // nobody watches
        }
      };

  /// Whether anybody wants to know about the run: asked before an event is made, for nearly always
  /// nobody does.
  default boolean watches(String run) {
    return true;
  }

  /// @param type `task.started`, `task.retrying`, `task.succeeded`, `context.filtered`,
  ///   `message.delta`, or what else a node tells its [LiveEventSink]
  /// @param data of the event; `{}` if its type says it all
  void observe(String run, String type, TaskKey task, ObjectValue data);
}
