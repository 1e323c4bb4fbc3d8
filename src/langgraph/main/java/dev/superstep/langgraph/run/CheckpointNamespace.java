package dev.superstep.langgraph.run;

import dev.superstep.engine.run.TaskKey;
import dev.superstep.langgraph.TaskIds;
import dev.superstep.state.value.ListValue;
import java.util.List;
import java.util.stream.Stream;

/// The tasks, as `node:id`, within which something happens: the outermost first. None: in the
/// outermost run.
record CheckpointNamespace(List<String> tasks) {
  static final CheckpointNamespace ROOT = new CheckpointNamespace(List.of());

  CheckpointNamespace {
    tasks = List.copyOf(tasks);
  }

  /// @param run the stored run of the task
  static String of(String run, TaskKey task) {
    return task.node().value() + ":" + TaskIds.of(run, task);
  }

  CheckpointNamespace inside(String task) {
    return new CheckpointNamespace(Stream.concat(tasks.stream(), Stream.of(task)).toList());
  }

  boolean isRoot() {
    return tasks.isEmpty();
  }

  /// Behind the names of events.
  String suffix() {
    return isRoot() ? "" : "|" + String.join("|", tasks);
  }

  ListValue json() {
    return ListValue.texts(tasks.toArray(String[]::new));
  }
}
