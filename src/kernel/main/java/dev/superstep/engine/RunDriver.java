package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.ChildRef;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.node.Release;
import dev.superstep.engine.node.Span;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Drives one claimed run for the loop: plans it, brings it to rest, opens its next superstep.
final class RunDriver implements AutoCloseable {
  private final Program program;
  private final LoadedRun loaded;
  private final Limits limits;
  private final DriverContext driver;
  private final Routes routes;
  private final RunTransitions runTransitions;
  private final Commits commits;

  public RunDriver(
      Ports ports, EngineLimits serverLimits, Program program, LoadedRun loaded, Inbox inbox) {
    this.program = program;
    this.loaded = loaded;
    var graph = program.graph();
    limits = graph.limits(loaded.limits());
    driver = new DriverContext(ports, serverLimits, inbox, loaded, limits);
    routes = Routes.of(graph, loaded.header().ordinal());
    runTransitions = new RunTransitions(graph, loaded, limits, driver);
    commits = new Commits(program, loaded, runTransitions, driver);
  }

  /// The span of the drive.
  public Span span() {
    return driver.span();
  }

  /// The tasks of the next superstep, in task order.
  public List<Task> plan(Checkpoint at) {
    return runTransitions.runnable(at)
        ? Compactions.joining(
            program, at, routes.planner().plan(at.pending().activations(), at.superstep() + 1))
        : List.of();
  }

  /// Brings the run to rest if the next superstep must not start. Looks at the signals first, and
  /// has what somebody could notice stand behind the commits before it.
  ///
  /// @return empty if it may
  public Optional<Next> restBefore(Checkpoint at, List<Task> tasks) throws InterruptedException {
    driver.receive();
    if (isNoticeable(tasks)) {
      driver.deferred().flush();
    } else {
      driver.deferred().flushIfDue(driver.now());
    }
    if (driver.deferred().takePause()) {
      driver.readSignals();
    }
    return driver.deferred().isRefused()
        ? Optional.of(commits.goBack())
        : runTransitions.rest(at, tasks).map(it -> commits.rest(at, it));
  }

  /// Whether the superstep of these tasks calls out, is sent to other replicas, or has observers.
  private boolean isNoticeable(List<Task> tasks) {
    return tasks.size() >= driver.ports().slicing().threshold()
        || driver.ports().observer().watches(loaded.header().id())
        || tasks.stream().anyMatch(it -> program.isNoticeable(it.key().node()));
  }

  /// Opens the next superstep; the caller closes it.
  public LiveSuperstep superstep(Checkpoint at, List<Task> tasks) {
    var environment =
        new SuperstepContext.Environment(
            driver.ports().clock(),
            driver.observer(),
            driver.span().superstep(at.superstep() + 1),
            driver.ports().children());
    var superstepContext = new SuperstepContext(loaded.header(), program, at, limits, environment);
    return new LiveSuperstep(
        superstepContext, tasks, openTasks(at, tasks), driver, routes, runTransitions, commits);
  }

  private List<OpenTask> openTasks(Checkpoint at, List<Task> tasks) {
    var openTasks = new ArrayList<OpenTask>(tasks.size());
    for (int i = 0; i < tasks.size(); i++) {
      var task = tasks.get(i);
      var held = at.held().get(task.key());
      var release = held == null ? Release.NONE : release(at, held);
      var openTask = OpenTask.of(i, task, held, release, loaded.header().birthId());
      if (at.recorded().contains(task.key())) {
        openTask.restoredFromRecorded();
      }
      openTasks.add(openTask);
    }
    return openTasks;
  }

  /// A failed task that is resolved by hand does not run again (E34). One whose child can continue
  /// waits for that child (E41).
  private Release release(Checkpoint at, TaskRecord held) {
    var runSignals = driver.signals();
    if (loaded.releasedThrough() < at.number()
        || runSignals.resolutions().stream().anyMatch(it -> it.task().equals(held.key()))) {
      return Release.NONE;
    }
    var child = ChildRef.of(held).map(ChildRef::run).orElse("");
    return runSignals.children().stream().anyMatch(it -> it.run().equals(child) && !it.givenUp())
        ? Release.CHILD
        : Release.FAILED;
  }

  /// The outcome of a call that was made is lost with its driver.
  private void lost(TaskKey task) {
    if (!program.runner(task.node()).pure()) {
      driver.ports().observer().lost(loaded.header().id(), task);
    }
  }

  @Override
  public void close() {
    driver.deferred().drop().forEach(this::lost);
    driver.span().end();
  }
}
