package dev.superstep.run;

import dev.superstep.engine.Activation;
import dev.superstep.engine.Ids;
import dev.superstep.engine.Pending;
import dev.superstep.engine.RunStatus;
import dev.superstep.engine.TaskError;
import dev.superstep.engine.TaskKey;
import dev.superstep.engine.TaskRecord;
import dev.superstep.engine.TaskRecord.Ending;
import dev.superstep.run.TaskView.Calls;
import dev.superstep.run.TaskView.Status;
import dev.superstep.run.TaskView.Times;
import dev.superstep.state.Change;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Shows what is known of tasks of one run.
final class TaskViews {
  private final String run;
  private final RunStatus status;
  private final int edits;
  private final Map<String, ObjectValue> inputs = new HashMap<>();

  /// @param status of the run
  /// @param pending what the tasks came from
  /// @param edits state edits under the superstep, part of idempotency keys (E40)
  TaskViews(String run, RunStatus status, Pending pending, int edits) {
    this.run = run;
    this.status = status;
    this.edits = edits;
    for (var activation : pending.activations()) {
      if (activation instanceof Activation.Sent(var dispatch)) {
        inputs.put(dispatch.id(), dispatch.input());
      }
    }
  }

  TaskView view(TaskRecord record) {
    var times = new Times(Optional.of(record.startedAt()), Optional.of(record.finishedAt()));
    return new TaskView(
        record.key(),
        status(record.ending()),
        new Calls(
            record.attempts(), Ids.idempotencyKey(run, record.key(), record.generation() + edits)),
        input(record.key()),
        change(record),
        error(record.ending()),
        times,
        Optional.empty());
  }

  /// A task that is running, of which nothing is known yet.
  TaskView running(TaskKey key) {
    return new TaskView(
        key,
        Status.RUNNING,
        new Calls(1, Ids.idempotencyKey(run, key, edits)),
        input(key),
        Optional.empty(),
        Optional.empty(),
        new Times(Optional.empty(), Optional.empty()),
        Optional.empty());
  }

  private Status status(Ending ending) {
    return switch (ending) {
      case Ending.Done _ -> Status.SUCCEEDED;
      case Ending.Handled _ -> Status.HANDLED;
      case Ending.Failed _, Ending.Rejected _ -> Status.FAILED;
      case Ending.Interrupted _ ->
          status == RunStatus.CANCELLED ? Status.CANCELLED : Status.INTERRUPTED;
      case Ending.Waiting _, Ending.Child _ ->
          status == RunStatus.CANCELLED ? Status.CANCELLED : Status.WAITING;
      case Ending.Open _ -> open();
    };
  }

  /// One that has begun: unless its run moves it was cut off, and waits for that to go on.
  private Status open() {
    return switch (status) {
      case CANCELLED -> Status.CANCELLED;
      case RUNNING, CANCELLING -> Status.RUNNING;
      case QUEUED, WAITING, INTERRUPTED, FAILED, SUCCEEDED -> Status.WAITING;
    };
  }

  private Optional<Value> input(TaskKey key) {
    return Optional.ofNullable(key.dispatchId()).map(inputs::get);
  }

  /// The last of its changes: earlier ones were held over its questions (E36).
  private static Optional<Change> change(TaskRecord record) {
    var changes = record.changes();
    return changes.isEmpty() ? Optional.empty() : Optional.of(changes.getLast());
  }

  private static Optional<TaskError> error(Ending ending) {
    return switch (ending) {
      case Ending.Failed(var error) -> Optional.of(error);
      case Ending.Rejected(_, var error) -> Optional.of(error);
      case Ending.Handled(var error, _) -> Optional.of(error);
      case Ending.Done _, Ending.Unfinished _ -> Optional.empty();
    };
  }
}
