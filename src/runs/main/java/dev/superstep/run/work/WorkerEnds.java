package dev.superstep.run.work;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.checkpoint.work.WorkArrivals;
import dev.superstep.checkpoint.work.WorkSettings;
import dev.superstep.checkpoint.work.WorkerTasks;
import dev.superstep.checkpoint.work.WorkerTasks.OverdueTask;
import dev.superstep.checkpoint.work.WorkerTasks.StoredTask;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.drive.RunRequeuer;
import dev.superstep.run.store.RunRows;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.util.UUID;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Ends tasks of workers, under the lock of their runs: an end is counted like an answer, so that
/// no hold commits without it, and wakes a run that can go on.
@Component
class WorkerEnds {
  private final WorkerTasks tasks;
  private final WorkArrivals arrivals;
  private final RunRows runs;
  private final RunRequeuer runRequeuer;
  private final AfterCommit afterCommit;
  private final WorkSettings settings;

  WorkerEnds(
      WorkerTasks tasks,
      WorkArrivals arrivals,
      RunRows runs,
      RunRequeuer runRequeuer,
      AfterCommit afterCommit,
      WorkSettings settings) {
    this.tasks = tasks;
    this.arrivals = arrivals;
    this.runs = runs;
    this.runRequeuer = runRequeuer;
    this.afterCommit = afterCommit;
    this.settings = settings;
  }

  static ServiceException notFound(String id) {
    return new ServiceException(
        ErrorCode.TASK_NOT_FOUND, "there is no task '%s'".formatted(Tenant.shown(id)));
  }

  /// @return false if nothing has changed, and it has not ended like this before
  @Transactional
  public boolean end(String id, UUID token, WorkerEnd end) {
    var task = tasks.find(id).orElseThrow(() -> notFound(id));
    if (task.hasEndedWith(token, end)) {
      return true;
    }
    var run = runs.lock(task.run()).orElseThrow(() -> notFound(id));
    if (!wants(run, task.task())) {
      return false;
    }
    var ended = tasks.end(id, token, end, run.answers() + 1);
    if (ended.isPresent()) {
      arrivals.worked(ended.get().type(), ended.get().worked());
      count(run, task, end);
      return true;
    }
    return tasks.find(id).filter(it -> it.hasEndedWith(token, end)).isPresent();
  }

  /// Fails a task that is overdue. It may have been claimed or ended meanwhile: then nothing
  /// changes.
  @Transactional
  public void expire(OverdueTask overdue) {
    var task = tasks.find(overdue.id());
    var run = task.flatMap(it -> runs.lock(it.run()));
    if (run.isEmpty()) {
      return;
    }
    if (!wants(run.get(), task.get().task())) {
      tasks.withdraw(overdue.id());
      return;
    }
    var end = new WorkerEnd.Failed(error(overdue));
    if (tasks.expire(overdue, settings.lostMax(), end, run.get().answers() + 1)) {
      count(run.get(), task.get(), end);
    }
  }

  private static TaskError error(OverdueTask overdue) {
    var message =
        switch (overdue.kind()) {
          case START -> "no worker has claimed the task in time";
          case END -> "the worker has not ended in time";
          case HEARTBEAT -> "the workers that had the task were not heard of in time";
          case DEADLINE -> "the callback was not answered in time";
          case SILENCE -> "nothing was heard in time of who is to answer the callback";
        };
    var kind =
        switch (overdue.kind()) {
          case START -> "schedule_to_start";
          case END -> "start_to_end";
          case HEARTBEAT, SILENCE -> "heartbeat";
          case DEADLINE -> "deadline";
        };
    return TaskError.retryable("node_timeout", message).with("kind", Value.of(kind));
  }

  /// Whether the task belongs to what the run does next.
  static boolean wants(RunEntity run, TaskKey task) {
    return !run.cancelRequested()
        && run.status() != RunStatus.SUCCEEDED
        && run.status() != RunStatus.CANCELLED
        && run.superstep() < task.superstep();
  }

  private void count(RunEntity run, StoredTask task, WorkerEnd end) {
    if (wakes(task, end)) {
      countAndWake(run);
    } else {
      run.countAnswers(1);
    }
  }

  /// Counts an end of a task of a run, and has the run go on with it. The caller has locked it.
  void countAndWake(RunEntity run) {
    run.countAnswers(1);
    if (sleeps(run)) {
      runRequeuer.requeue(run);
    }
    afterCommit.publish(run.id(), run.owner());
  }

  /// A run that would only sleep again is not woken: else a thousand tasks would load it a thousand
  /// times.
  private boolean wakes(StoredTask task, WorkerEnd end) {
    int most = task.wakesBelow();
    return isNews(end) || tasks.out(task.run(), task.task(), most + 1) <= most;
  }

  /// A failure may end the run, and a person can be asked at once.
  private static boolean isNews(WorkerEnd end) {
    return switch (end) {
      case WorkerEnd.Failed _, WorkerEnd.StepQuestion _ -> true;
      case WorkerEnd.Returned(var result) ->
          result instanceof ObjectValue object && object.has("interrupt");
    };
  }

  /// A late end must not take a run past a breakpoint: that is for people (E38).
  private static boolean sleeps(RunEntity run) {
    return run.resting() && run.status() != RunStatus.FAILED && run.breakpoint().isEmpty();
  }
}
