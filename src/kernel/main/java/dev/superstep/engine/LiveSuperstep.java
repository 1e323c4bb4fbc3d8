package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The superstep in progress: runs its tasks up to the barrier, then commits or holds it.
final class LiveSuperstep implements AutoCloseable {
  private final SuperstepContext superstepContext;
  private final Checkpoint at;
  private final List<Task> tasks;
  private final DriverContext driver;
  private final Routes routes;
  private final RunTransitions runTransitions;
  private final Commits commits;
  private final Barrier barrier;
  private boolean ended;

  LiveSuperstep(
      SuperstepContext superstepContext,
      List<Task> tasks,
      List<OpenTask> openTasks,
      DriverContext driver,
      Routes routes,
      RunTransitions runTransitions,
      Commits commits) {
    this.superstepContext = superstepContext;
    this.at = superstepContext.at();
    this.tasks = tasks;
    this.driver = driver;
    this.routes = routes;
    this.runTransitions = runTransitions;
    this.commits = commits;
    barrier =
        new Barrier(
            superstepContext, driver, routes.errorEdges(), openTasks, Barrier.Questions.EXPIRE);
  }

  /// Delivers answers, resolutions and ends of children to the tasks that wait for them.
  public void deliver() {
    barrier.apply(driver.signals());
  }

  /// Runs the tasks and waits until nothing can run, or an external signal stops them.
  public Barrier.Stop runAndWait() throws InterruptedException {
    return barrier.await();
  }

  /// Commits the superstep, holds it, or ends the run, as the stop asks for.
  ///
  /// @return empty if there are signals: the superstep has to be run once more
  public Optional<Next> commit(Barrier.Stop stop) {
    var next =
        switch (stop) {
          case SETTLED -> reduce();
          case CANCELLED -> cancelled();
          case TIMED_OUT -> {
            barrier.abort();
            yield hold(runTransitions.timedOut(at));
          }
          case DRAINED -> {
            barrier.abort();
            barrier.flush();
            yield Optional.of(commits.rest(at, runTransitions.handedBack(at)));
          }
        };
    ended = next.isPresent();
    return next;
  }

  private Optional<Next> reduce() {
    if (barrier.closeQuestions()) {
      return Optional.empty();
    }
    var openTasks = barrier.openTasks();
    if (parks(openTasks)) {
      handleFailures(openTasks);
      return hold(runTransitions.held(at, openTasks));
    }
    var superstepResult =
        SuperstepReducer.settle(
            superstepContext,
            routes,
            driver.limits(),
            new SuperstepReducer.SuperstepEnd(
                tasks,
                records(openTasks),
                driver.signals().messages(),
                barrier.hasClosedQuestions()));
    return switch (superstepResult) {
      case SuperstepResult.Complete complete -> {
        adopt(openTasks, complete.records());
        yield next(commits.step(superstepContext, complete, openTasks));
      }
      case SuperstepResult.Failing(var records) -> {
        adopt(openTasks, records);
        yield hold(runTransitions.held(at, openTasks));
      }
    };
  }

  private static boolean parks(List<OpenTask> openTasks) {
    for (var openTask : openTasks) {
      if (openTask.rests()) {
        return true;
      }
    }
    return false;
  }

  private static List<TaskRecord> records(List<OpenTask> openTasks) {
    var records = new ArrayList<TaskRecord>(openTasks.size());
    for (var openTask : openTasks) {
      var record = openTask.record();
      if (record == null) {
        throw new IllegalStateException("%s has not ended".formatted(openTask.task().key()));
      }
      records.add(record);
    }
    return records;
  }

  /// A handled failure does not count as one, even while siblings ask or sleep (E32): a resume must
  /// not call the node again.
  private void handleFailures(List<OpenTask> openTasks) {
    for (var openTask : openTasks) {
      var record = openTask.record();
      if (record != null && openTask.failed()) {
        routes
            .errorEdges()
            .handled(superstepContext, openTask.task(), record, barrier.tolerates(openTask))
            .ifPresent(openTask::handle);
      }
    }
  }

  /// Takes over the reducer's records of results that cannot be used, and of handled failures.
  private static void adopt(List<OpenTask> openTasks, List<TaskRecord> records) {
    for (int i = 0; i < openTasks.size(); i++) {
      var record = records.get(i);
      var openTask = openTasks.get(i);
      switch (record.ended()) {
        case TaskRecord.TaskStatus.Handled _ -> openTask.handle(record);
        case TaskRecord.TaskStatus.Rejected _, TaskRecord.TaskStatus.Failed _ -> {
          if (!record.equals(openTask.record())) {
            openTask.reject(record);
          }
        }
        case TaskRecord.TaskStatus.Done _, TaskRecord.TaskStatus.Cancelled _ -> {}
      }
    }
  }

  private Optional<Next> hold(RunTransitions.Rest rest) {
    return next(commits.hold(at, rest, barrier.openTasks()));
  }

  private Optional<Next> next(Commits.Written written) {
    return switch (written) {
      case Commits.Advanced(var checkpoint, var status) ->
          Optional.of(
              status == RunStatus.RUNNING
                  ? new Next.Continue(checkpoint)
                  : new Next.AtRest(status));
      case Commits.RefusedCommit(var why) -> refused(why);
    };
  }

  private Optional<Next> refused(Commits.Why why) {
    return switch (why) {
      case CANCEL -> cancelled();
      case PAUSE, ANSWERS -> {
        barrier.apply(driver.readSignals());
        yield Optional.empty();
      }
    };
  }

  /// What has been spent stays visible. Two writes: a crash between them leaves the run as it was.
  private Optional<Next> cancelled() {
    barrier.abort();
    barrier.flushSpent();
    return Optional.of(commits.rest(at, runTransitions.cancelled(at)));
  }

  /// Ends the superstep; attempts are abandoned if it was left before its end.
  @Override
  public void close() {
    if (!ended) {
      barrier.drop();
    }
    superstepContext.environment().observer().ended(superstepContext.run().id(), tasks);
    superstepContext.environment().span().end();
  }
}
