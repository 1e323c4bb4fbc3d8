package dev.superstep.engine.node;

import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ObjectValue;
import java.util.List;
import java.util.Optional;

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

  /// Whether texts of the run are to be written piece by piece although nobody may read them yet.
  default boolean keepsTexts(String run) {
    return false;
  }

  /// @param type `task.started`, `task.retrying`, `task.succeeded`, `context.filtered`,
  ///   `message.delta`, or any other that a node publishes to its [LiveEventSink]
  /// @param data of the event; `{}` if the type suffices
  void observe(String run, String type, TaskKey task, ObjectValue data);

  /// Begins a text of a task, whether the run has subscribers or not: they may come in the middle
  /// of it. It replaces the text that the task has begun before.
  ///
  /// @param attempt that writes it
  /// @param messageId that its pieces carry
  default LiveText begin(String run, TaskKey task, int attempt, Optional<String> messageId) {
    return LiveText.NONE;
  }

  /// An answer of a call is dropped, with its driver, before it was on disk: whoever drives the run
  /// next makes the call again.
  default void lost(String run, TaskKey task) {
    observe(run, "task.repeated", task, ObjectValue.empty());
  }

  /// Other replicas are about to execute tasks of the run, and are to know whether their texts and
  /// events are wanted here.
  default void spread(String run) {}

  /// The superstep or slice of these tasks is over: new subscribers need their texts no more.
  default void ended(String run, List<Task> tasks) {}
}
