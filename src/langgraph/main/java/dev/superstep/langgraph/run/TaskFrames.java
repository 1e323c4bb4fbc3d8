package dev.superstep.langgraph.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.langgraph.MessageChannels;
import dev.superstep.langgraph.TaskIds;
import dev.superstep.langgraph.run.StreamPart.TaskPayload;
import dev.superstep.langgraph.run.StreamPart.TaskResultPayload;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.TaskEnd;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Writes begin and end of the tasks of one run. Both follow from what is stored: the begins from
/// the checkpoint that has activated the tasks, the ends from the one that has their results. So
/// they are the same, and have the same ids, whenever they are written.
final class TaskFrames {
  private final StreamedRun run;
  private final MessageChannels channels;
  private final Emitter emitter;
  private final CheckpointFrames debug;
  private List<TaskKey> due = List.of();
  private List<TaskKey> begun = List.of();
  private Map<String, ObjectValue> dispatched = Map.of();
  private ObjectValue state = ObjectValue.empty();

  TaskFrames(StreamedRun run, MessageChannels channels, Emitter emitter, CheckpointFrames debug) {
    this.debug = debug;
    this.run = run;
    this.channels = channels;
    this.emitter = emitter;
  }

  /// The tasks behind this checkpoint begin with what happens next, if that is in their superstep.
  ///
  /// @param done those of them that have ended before the run stopped
  void plan(CheckpointView checkpoint, Set<TaskKey> done) {
    due = checkpoint.due().stream().filter(it -> !done.contains(it)).toList();
    begun = List.of();
    if (emitter.wants(StreamMode.TASKS) || emitter.wants(StreamMode.DEBUG)) {
      state = channels.toWire(checkpoint.state());
      dispatched = new HashMap<>();
      for (var activation : checkpoint.pending()) {
        if (activation instanceof Activation.Sent(var dispatch)) {
          dispatched.put(dispatch.id(), dispatch.input());
        }
      }
    }
  }

  /// The run has stopped in front of them.
  void drop() {
    due = List.of();
  }

  void begin() throws IOException {
    for (var task : due) {
      write("task", task, new TaskPayload(id(task), task.node().value(), input(task)));
    }
    begun = due.isEmpty() ? begun : due;
    due = List.of();
  }

  /// Whether an event of this superstep is one of tasks that are about to begin.
  boolean isDue(int superstep) {
    return !due.isEmpty() && due.getFirst().superstep() == superstep;
  }

  /// Tasks of the engine are no nodes.
  void finished(TaskEnd end) throws IOException {
    if (!end.task().node().isReserved()) {
      var change = channels.toWire(end.last());
      var result = change instanceof Value.Null ? ObjectValue.empty() : change;
      ended(end.task(), result, end.error().map(TaskError::message), List.of());
    }
  }

  /// Others were enough.
  void cancelled(TaskKey task) throws IOException {
    ended(task, ObjectValue.empty(), Optional.of("cancelled"), List.of());
  }

  /// The superstep has committed, and what its tasks did is not kept.
  void finishedUnknown() throws IOException {
    for (var task : begun) {
      ended(task, ObjectValue.empty(), Optional.empty(), List.of());
    }
    begun = List.of();
  }

  void interrupted(TaskKey task, List<StoredInterrupt> questions) throws IOException {
    ended(task, ObjectValue.empty(), Optional.empty(), questions);
  }

  /// @return that it is not the last event
  boolean failed(Event event) throws IOException {
    var message = event.data().findText("message").orElse("failed");
    ended(MessageFrames.task(event), ObjectValue.empty(), Optional.of(message), List.of());
    return false;
  }

  private void ended(
      TaskKey task, Value result, Optional<String> error, List<StoredInterrupt> questions)
      throws IOException {
    write(
        "task_result",
        task,
        new TaskResultPayload(id(task), task.node().value(), result, error, questions));
  }

  private void write(String type, TaskKey task, StreamPart part) throws IOException {
    emitter.emit(StreamMode.TASKS, () -> part);
    emitter.emit(StreamMode.DEBUG, () -> debug.of(type, task, part));
  }

  private String id(TaskKey task) {
    return TaskIds.of(run.run(), task);
  }

  /// A dispatch gets its own input.
  private ObjectValue input(TaskKey task) {
    var dispatch = task.dispatchId();
    return dispatch == null ? state : dispatched.getOrDefault(dispatch, state);
  }
}
