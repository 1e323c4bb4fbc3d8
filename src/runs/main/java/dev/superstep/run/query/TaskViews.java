package dev.superstep.run.query;

import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.TaskRecord.TaskStatus;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.run.TaskView;
import dev.superstep.run.TaskView.Calls;
import dev.superstep.run.TaskView.Status;
import dev.superstep.run.TaskView.TaskTimes;
import dev.superstep.run.TaskView.TaskWait;
import dev.superstep.run.TaskView.WaitReason;
import dev.superstep.run.store.EditCounts.Keyed;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Builds the views of the tasks of one run.
final class TaskViews {
  private final RunStatus status;
  private final Keyed keyed;
  private final Map<String, ObjectValue> inputs = new HashMap<>();

  /// @param status of the run
  /// @param pending the activations of the tasks
  /// @param keyed of the superstep before, part of idempotency keys (E40)
  TaskViews(RunStatus status, Pending pending, Keyed keyed) {
    this.status = status;
    this.keyed = keyed;
    for (var activation : pending.activations()) {
      if (activation instanceof Activation.Sent(var dispatch)) {
        inputs.put(dispatch.id(), dispatch.input());
      }
    }
  }

  TaskView view(TaskRecord record) {
    return new TaskView(
        record.key(),
        status(record, status),
        new Calls(record.attempts(), keyed.idempotencyKey(record.key(), record.generation())),
        input(record.key()),
        change(record),
        error(record),
        times(record),
        record.spent(),
        Optional.empty());
  }

  /// A running task of which nothing is stored yet.
  TaskView running(TaskKey key) {
    return new TaskView(
        key,
        Status.RUNNING,
        new Calls(1, keyed.idempotencyKey(key, 0)),
        input(key),
        Optional.empty(),
        Optional.empty(),
        new TaskTimes(Optional.empty(), Optional.empty(), Optional.empty()),
        Usage.NOTHING,
        Optional.empty());
  }

  /// How a task is, in a run that is like this.
  static Status status(TaskRecord record, RunStatus run) {
    if (record.runFailure().isPresent()) {
      return Status.FAILED;
    }
    return switch (record.status()) {
      case TaskStatus.Done _ -> Status.SUCCEEDED;
      case TaskStatus.Handled _ -> Status.HANDLED;
      case TaskStatus.Cancelled _ -> Status.CANCELLED;
      case TaskStatus.Failed _, TaskStatus.Rejected _ -> Status.FAILED;
      case TaskStatus.Interrupted _ ->
          run == RunStatus.CANCELLED ? Status.CANCELLED : Status.INTERRUPTED;
      case TaskStatus.Waiting _, TaskStatus.Child _, TaskStatus.AtWorker _ ->
          run == RunStatus.CANCELLED ? Status.CANCELLED : Status.WAITING;
      case TaskStatus.Open _ -> open(run);
    };
  }

  /// A task that has begun: unless its run moves it was aborted, and waits for the run to proceed.
  private static Status open(RunStatus run) {
    return switch (run) {
      case CANCELLED -> Status.CANCELLED;
      case RUNNING, CANCELLING -> Status.RUNNING;
      case QUEUED, WAITING, INTERRUPTED, FAILED, SUCCEEDED -> Status.WAITING;
    };
  }

  static TaskTimes times(TaskRecord record) {
    return new TaskTimes(
        Optional.of(record.startedAt()),
        Optional.of(record.finishedAt()),
        record.status() instanceof TaskStatus.Waiting(var until, var why)
            ? Optional.of(new TaskWait(until, reason(why)))
            : Optional.empty());
  }

  private static WaitReason reason(TaskRecord.Why why) {
    return switch (why) {
      case RETRY -> WaitReason.RETRY;
      case SLEEP -> WaitReason.TIMER;
      case TURN -> WaitReason.MODEL_LIMIT;
    };
  }

  private Optional<Value> input(TaskKey key) {
    return Optional.ofNullable(key.dispatchId()).map(inputs::get);
  }

  /// The last of its changes: earlier ones were held over its interrupts (E36).
  private static Optional<Change> change(TaskRecord record) {
    var changes = record.changes();
    return changes.isEmpty() ? Optional.empty() : Optional.of(changes.getLast());
  }

  static Optional<TaskError> error(TaskRecord record) {
    return record.runFailure().or(() -> error(record.status()));
  }

  private static Optional<TaskError> error(TaskStatus taskStatus) {
    return switch (taskStatus) {
      case TaskStatus.Failed(var error) -> Optional.of(error);
      case TaskStatus.Rejected(_, var error) -> Optional.of(error);
      case TaskStatus.Handled(var error, _) -> Optional.of(error);
      case TaskStatus.Done _, TaskStatus.Cancelled _, TaskStatus.Unfinished _ -> Optional.empty();
    };
  }
}
