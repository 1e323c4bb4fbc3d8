package dev.superstep.langgraph.stream;

import dev.superstep.engine.run.Event;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.langgraph.TaskIds;
import dev.superstep.run.view.CheckpointView;
import dev.superstep.state.Change;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/// Writes begin and end of tasks of one run. A begin that a client has not seen live comes with its
/// end.
final class TaskFrames {
  private final StreamedRun run;
  private final WireState wire;
  private final Emitter emitter;
  private final CheckpointFrames debug;
  private final Set<TaskKey> started = new HashSet<>();
  private ObjectValue input = ObjectValue.empty();

  TaskFrames(StreamedRun run, WireState wire, Emitter emitter, CheckpointFrames debug) {
    this.debug = debug;
    this.run = run;
    this.wire = wire;
    this.emitter = emitter;
  }

  /// The state that the next tasks see.
  void begin(CheckpointView checkpoint) {
    if (emitter.wants(StreamMode.TASKS) || emitter.wants(StreamMode.DEBUG)) {
      input = wire.state(checkpoint.state());
    }
  }

  void committed(CheckpointView checkpoint) {
    begin(checkpoint);
    started.clear();
  }

  void started(Event event) throws IOException {
    var task = MessageFrames.task(event);
    if (started.add(task)) {
      emitter.live(StreamMode.TASKS, "tasks", () -> beginning(task));
      emitter.live(StreamMode.DEBUG, "debug", () -> debug.of("task", task, beginning(task)));
    }
  }

  void finished(TaskKey task, Change change) throws IOException {
    first(task);
    end(task, wire.change(change), Value.NULL);
  }

  /// @return that it is not the last event
  boolean failed(Event event) throws IOException {
    var task = MessageFrames.task(event);
    first(task);
    end(task, Value.NULL, event.data().getOr("message", Value.of("failed")));
    return false;
  }

  private void first(TaskKey task) throws IOException {
    boolean isNew = started.add(task);
    emitter.emit(
        StreamMode.TASKS, "tasks", () -> isNew ? Optional.of(beginning(task)) : Optional.empty());
    emitter.emit(
        StreamMode.DEBUG,
        "debug",
        () -> isNew ? Optional.of(debug.of("task", task, beginning(task))) : Optional.empty());
  }

  private void end(TaskKey task, Value result, Value error) throws IOException {
    emitter.emit(StreamMode.TASKS, () -> ended(task, result, error));
    emitter.emit(StreamMode.DEBUG, () -> debug.of("task_result", task, ended(task, result, error)));
  }

  private ObjectValue beginning(TaskKey task) {
    return ObjectValue.builder()
        .put("id", Value.of(TaskIds.of(run.run(), task)))
        .put("name", Value.of(task.node().value()))
        .put("input", input)
        .put("triggers", ListValue.empty())
        .put("interrupts", ListValue.empty())
        .build();
  }

  private ObjectValue ended(TaskKey task, Value result, Value error) {
    return ObjectValue.builder()
        .put("id", Value.of(TaskIds.of(run.run(), task)))
        .put("name", Value.of(task.node().value()))
        .put("result", result)
        .put("error", error)
        .put("interrupts", ListValue.empty())
        .build();
  }
}
