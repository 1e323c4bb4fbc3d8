package dev.superstep.engine;

import dev.superstep.engine.checkpoint.AskingStep;
import dev.superstep.engine.checkpoint.Repeats;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.checkpoint.WorkerStart;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.run.Ids;
import dev.superstep.engine.run.InterruptRequest;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.OpenCallback;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.WorkerTask;
import dev.superstep.graph.RetryPolicy;
import dev.superstep.state.MessageIds;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/// Updates a task's status from an attempt's outcome (E30, E31, E35).
final class TaskTransitions {
  private final SuperstepContext superstepContext;
  private final DriverContext driver;
  private final ErrorEdges errorEdges;

  TaskTransitions(SuperstepContext superstepContext, DriverContext driver, ErrorEdges errorEdges) {
    this.superstepContext = superstepContext;
    this.driver = driver;
    this.errorEdges = errorEdges;
  }

  /// Starts the next attempt of a task that holds its permits.
  LiveAttempt begin(OpenTask openTask) {
    var live = openTask.start(superstepContext, driver);
    observe("task.started", openTask);
    return live;
  }

  /// @param wakesBelow if it begins a run or asks a worker: how many of its node may still be out
  ///   when that one's end wakes this run
  void end(OpenTask openTask, Outcome outcome, int wakesBelow) {
    switch (outcome) {
      case Outcome.Done(var result) -> {
        observe(result.runFailure() == null ? "task.succeeded" : "task.failed", openTask);
        openTask.succeed(identified(openTask, result), driver.now());
      }
      case Outcome.Failed(var error) -> failed(openTask, error);
      case Outcome.Interrupted(var request, var step) -> interrupt(openTask, request, step);
      case Outcome.Waiting(var dueAt) -> openTask.sleep(dueAt, TaskRecord.Why.SLEEP, driver.now());
      case Outcome.Parked(var dueAt, var kept) -> openTask.park(dueAt, kept, driver.now());
      case Outcome.Child(var start) ->
          openTask.awaitChild(start.wakingBelow(wakesBelow), driver.now());
      case Outcome.Worker(var task) -> awaitWorker(openTask, task, wakesBelow);
      case Outcome.Callback(var callback) -> openTask.awaitCallback(callback, driver.now());
    }
  }

  private void awaitWorker(OpenTask openTask, WorkerTask task, int wakesBelow) {
    int number = openTask.queued() + 1;
    var queuedAs = superstepContext.run().birthId().queued(openTask.task().key(), number);
    openTask.awaitWorker(queuedAs, new WorkerStart(task, number, wakesBelow), driver.now());
  }

  /// Ends a failed task with a result that a person gave.
  void resolve(OpenTask openTask, NodeResult result) {
    openTask.resolve(identified(openTask, result), driver.now());
  }

  /// Fails a task whose question was not answered in time.
  void expire(OpenTask openTask, TaskError error) {
    openTask.expire(error, driver.now());
    handle(openTask);
  }

  /// An answer that has come says that the call has arrived, whatever its own outcome (E51).
  private void failed(OpenTask openTask, TaskError error) {
    var answered =
        callback(openTask)
            .filter(it ->
                !driver.ports().store().workerEnds(driver.lease(), Set.of(it.id())).isEmpty());
    if (answered.isPresent()) {
      openTask.awaitCallback(answered.get(), driver.now());
    } else {
      retryOrFail(openTask, error);
    }
  }

  private static Optional<OpenCallback> callback(OpenTask openTask) {
    return openTask.running().flatMap(LiveAttempt::callback);
  }

  private void fail(OpenTask openTask, TaskError error) {
    var callback = callback(openTask);
    if (callback.isPresent()
        && !driver.ports().store().withdrawCallback(driver.lease(), callback.get().id())) {
      openTask.awaitCallback(callback.get(), driver.now());
      return;
    }
    openTask.fail(error, driver.now());
    handle(openTask);
  }

  /// A failure that the graph takes care of is recorded, and published, as handled (E32).
  private void handle(OpenTask openTask) {
    var failed = openTask.record();
    if (failed != null) {
      errorEdges.handled(superstepContext, openTask.task(), failed).ifPresent(openTask::handle);
    }
  }

  private void retryOrFail(OpenTask openTask, TaskError given) {
    var retries = openTask.task().node().policy();
    var error = inTime(openTask, given);
    // A retry would see an unchanged context, whatever retry_on says (P13).
    boolean lost = error.code().equals(ContextViews.INCOMPATIBLE) || RunBudget.isUsedUp(error);
    int chosen = lost ? -1 : retries.repeating(error.code(), error.retryable());
    if (chosen < 0) {
      fail(openTask, error);
      return;
    }
    var retry = retries.retries().get(chosen);
    boolean several = retries.retries().size() > 1;
    int failures = several ? openTask.repeated(chosen) + 1 : openTask.attempts();
    if (failures >= retry.attemptsMax()) {
      fail(openTask, error);
      return;
    }
    var now = driver.now();
    var dueAt = now.plus(pause(retry, failures, error));
    if (openTask.totalEnd().filter(it -> !it.isAfter(dueAt)).isPresent()) {
      fail(openTask, error);
      return;
    }
    if (several) {
      openTask.repeat(chosen);
    }
    openTask.sleep(dueAt, TaskRecord.Why.RETRY, now);
    observe("task.retrying", openTask);
  }

  /// A time-out of a worker, a child or a callback may be that of all attempts.
  private TaskError inTime(OpenTask openTask, TaskError error) {
    var now = driver.now();
    return error.code().equals("node_timeout")
            && openTask.totalEnd().filter(it -> !it.isAfter(now)).isPresent()
        ? Repeats.timedOut(openTask.task().node().policy().totalTimeout().orElseThrow())
        : error;
  }

  private Duration pause(RetryPolicy retry, int failures, TaskError error) {
    var pause = retry.pauseAfter(failures, driver.ports().random().getAsDouble());
    var asked = error.retryAfter().orElse(Duration.ZERO);
    return pause.compareTo(asked) < 0 ? asked : pause;
  }

  private void interrupt(OpenTask openTask, InterruptRequest request, Optional<AskingStep> step) {
    var now = driver.now();
    var interrupt =
        new TaskRecord.Interrupt(
            superstepContext
                .run()
                .birthId()
                .interrupt(openTask.task().key(), openTask.interrupts()),
            request.reason(),
            request.payload(),
            request.schema(),
            now,
            request.expiry().map(it -> now.plus(it.after())),
            request.expiry().flatMap(InterruptRequest.Expiry::defaultAnswer),
            request.mayAnswer(),
            request.addressees());
    var change =
        MessageIds.identify(
            request.change(),
            superstepContext.program().graph().channels(),
            messagePrefix(openTask),
            0);
    openTask.ask(interrupt, change, step, now);
  }

  /// Gives messages without an id one that derives from the task (E5), before anything is stored.
  private NodeResult identified(OpenTask openTask, NodeResult result) {
    var channels = superstepContext.program().graph().channels();
    if (!channels.keepsMessages()) {
      return result;
    }
    return result.with(MessageIds.identify(result.change(), channels, messagePrefix(openTask), 0));
  }

  private String messagePrefix(OpenTask openTask) {
    return Ids.messages(
        superstepContext.run().ordinal(), openTask.task().key(), openTask.interrupts());
  }

  /// Publishes the fate of the running attempt as a live event.
  private void observe(String type, OpenTask openTask) {
    driver.observe(type, openTask.task().key(), openTask.attempts());
  }
}
