package dev.superstep.langgraph.run;

import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.langgraph.TaskIds;
import dev.superstep.run.CheckpointView;
import dev.superstep.run.TaskEnd;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Writes begin and end of the tasks of one run. Both follow from what is stored: the begins from
/// the checkpoint that has activated the tasks, the ends from the one that has their results. So
/// they are the same, and have the same ids, whenever they are written.
final class TaskFrames {
  private final StreamedRun run;
  private final WireState wire;
  private final Emitter emitter;
  private final CheckpointFrames debug;
  private List<TaskKey> due = List.of();
  private List<TaskKey> begun = List.of();
  private Map<String, ObjectValue> dispatched = Map.of();
  private ObjectValue state = ObjectValue.empty();

  TaskFrames(StreamedRun run, WireState wire, Emitter emitter, CheckpointFrames debug) {
    this.debug = debug;
    this.run = run;
    this.wire = wire;
    this.emitter = emitter;
  }

  /// The tasks behind this checkpoint begin with what happens next, if that is in their superstep.
  ///
  /// @param done those of them that have ended before the run stopped
  void plan(CheckpointView checkpoint, Set<TaskKey> done) {
    due = checkpoint.due().stream().filter(it -> !done.contains(it)).toList();
    begun = List.of();
    if (emitter.wants(StreamMode.TASKS) || emitter.wants(StreamMode.DEBUG)) {
      state = wire.state(checkpoint.state());
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
      emitter.emit(StreamMode.TASKS, () -> beginning(task));
      emitter.emit(StreamMode.DEBUG, () -> debug.of("task", task, beginning(task)));
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
      var error = end.error().map(TaskError::message).orElse(null);
      ended(end.task(), result(wire.change(end.last())), error, ListValue.empty());
    }
  }

  private static Value result(Value change) {
    return change instanceof Value.Null ? ObjectValue.empty() : change;
  }

  /// The superstep has committed, and what its tasks did is not kept.
  void finishedUnknown() throws IOException {
    for (var task : begun) {
      ended(task, ObjectValue.empty(), null, ListValue.empty());
    }
    begun = List.of();
  }

  void interrupted(TaskKey task, ListValue questions) throws IOException {
    ended(task, ObjectValue.empty(), null, questions);
  }

  /// @return that it is not the last event
  boolean failed(Event event) throws IOException {
    var message = event.data().get("message") instanceof Value.Text(var text) ? text : "failed";
    ended(MessageFrames.task(event), ObjectValue.empty(), message, ListValue.empty());
    return false;
  }

  private void ended(TaskKey task, Value result, @Nullable String error, ListValue questions)
      throws IOException {
    var end =
        task(task)
            .put("result", result)
            .put("error", error == null ? Value.NULL : Value.of(error))
            .put("interrupts", questions)
            .build();
    emitter.emit(StreamMode.TASKS, () -> end);
    emitter.emit(StreamMode.DEBUG, () -> debug.of("task_result", task, end));
  }

  /// A dispatch gets its own input.
  private ObjectValue beginning(TaskKey task) {
    var dispatch = task.dispatchId();
    return task(task)
        .put("input", dispatch == null ? state : dispatched.getOrDefault(dispatch, state))
        .put("triggers", ListValue.empty())
        .put("interrupts", ListValue.empty())
        .build();
  }

  private ObjectValue.Builder task(TaskKey task) {
    return ObjectValue.builder()
        .put("id", Value.of(TaskIds.of(run.run(), task)))
        .put("name", Value.of(task.node().value()));
  }
}
