package dev.superstep.engine.node;

import dev.superstep.engine.task.TaskKey;
import dev.superstep.state.value.ObjectValue;

/// Receives live events of running tasks, which are stored nowhere. It must not block, and is
/// called from any thread.
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
          // no subscribers
        }
      };

  /// Whether the run has subscribers: checked before an event is built, because most runs have
  /// none.
  default boolean watches(String run) {
    return true;
  }

  /// @param type `task.started`, `task.retrying`, `task.succeeded`, `context.filtered`,
  ///   `message.delta`, or any other that a node publishes to its [LiveEventSink]
  /// @param data of the event; `{}` if the type suffices
  void observe(String run, String type, TaskKey task, ObjectValue data);
}
