package dev.superstep.engine;

import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.node.Release;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Event;
import dev.superstep.graph.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Executes slices of wide supersteps: runs some of the tasks as their driver would, up to their
/// outcomes. It neither folds nor routes.
public final class SliceLoop {
  private final Ports ports;
  private final EngineLimits limits;

  /// @param ports with a store that takes the records of this slice, and no further slicing
  /// @param limits with the tasks that one slice may execute at a time
  public SliceLoop(Ports ports, EngineLimits limits) {
    this.ports = ports;
    this.limits = limits;
  }

  /// The records and events that are not stored yet when a slice ends; they are written as it is
  /// closed.
  public record Rest(List<TaskRecord> records, List<Event> events) {
    public Rest {
      records = List.copyOf(records);
      events = List.copyOf(events);
    }
  }

  /// Runs the tasks on the frozen state of `loaded`, on the calling thread, until each is done,
  /// failed, interrupted or waiting for long. Outcomes are recorded while siblings are open;
  /// outcomes recorded in `loaded` are not computed again.
  ///
  /// @param loaded the run at the checkpoint that the superstep builds on
  /// @param tasks indexes in the superstep as planned
  /// @return empty if it was stopped before the end: drained, or the run's time is over
  /// @throws InterruptedException if the thread was interrupted: the slice is not wanted any more
  public Optional<Rest> run(Program program, LoadedRun loaded, List<Integer> tasks, Inbox inbox)
      throws InterruptedException {
    var inForce = program.graph().limits(loaded.limits());
    var driver = new DriverContext(ports, limits, inbox, loaded, unbounded(inForce));
    var environment =
        new SuperstepContext.Environment(
            ports.clock(), ports.observer(), driver.span(), ports.children());
    var superstepContext =
        new SuperstepContext(loaded.header(), program, loaded.checkpoint(), inForce, environment);
    var errorEdges = Routes.of(program.graph(), loaded.header().ordinal()).errorEdges();
    var openTasks = openTasks(program, loaded, tasks);
    var barrier =
        new Barrier(superstepContext, driver, errorEdges, openTasks, Barrier.Questions.STAY);
    boolean ended = false;
    try {
      ended = barrier.await() == Barrier.Stop.SETTLED;
    } finally {
      if (!ended) {
        barrier.abandon();
      }
      var ran = openTasks.stream().map(OpenTask::task).toList();
      ports.observer().ended(loaded.header().id(), ran);
      driver.span().end();
    }
    if (!ended) {
      barrier.flush();
      return Optional.empty();
    }
    return Optional.of(rest(barrier.openTasks()));
  }

  /// The run's own bound has been divided among the slices already.
  private static Limits unbounded(Limits limits) {
    return new Limits(
        limits.superstepsMax(),
        Optional.empty(),
        limits.dispatchesMax(),
        limits.modelCallsMax(),
        limits.tokensMax(),
        limits.timeout());
  }

  private static List<OpenTask> openTasks(Program program, LoadedRun loaded, List<Integer> tasks) {
    var at = loaded.checkpoint();
    var activated =
        new Planner(program.graph()).plan(at.pending().activations(), at.superstep() + 1);
    var planned = Compactions.joining(program, at, activated);
    var openTasks = new ArrayList<OpenTask>(tasks.size());
    for (var index : tasks) {
      var task = planned.get(index);
      openTasks.add(OpenTask.of(openTasks.size(), task, at.held().get(task.key()), Release.NONE));
    }
    return openTasks;
  }

  private static Rest rest(List<OpenTask> openTasks) {
    var records = new ArrayList<TaskRecord>();
    var events = new ArrayList<Event>();
    for (var openTask : openTasks) {
      var record = openTask.record();
      if (record != null && openTask.isUnrecorded()) {
        records.add(record);
        TaskEvents.firstEvent(openTask).ifPresent(events::add);
      }
    }
    return new Rest(records, events);
  }
}
