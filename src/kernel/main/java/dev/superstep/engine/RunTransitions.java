package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Graph;
import dev.superstep.graph.InboxPolicy;
import dev.superstep.graph.Limits;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Decides the run's next status, between supersteps and at a held one (E13, E14, E33, E38).
final class RunTransitions {
  private final Limits limits;
  private final Breakpoints breakpoints;
  private final DriverContext driver;
  private final Joins joins;
  private final InboxPolicy inbox;
  private RunHead.Passed passed;

  /// The next status of a run: the head to write and the event that reports it.
  record Rest(RunHead head, List<Event> events) {}

  RunTransitions(Graph graph, LoadedRun loaded, Limits limits, DriverContext driver) {
    this.limits = limits;
    this.driver = driver;
    breakpoints = graph.settings().breakpoints().and(loaded.breakpoints());
    joins = new Joins(graph);
    inbox = graph.settings().inbox();
    passed = loaded.head().passed();
  }

  /// Whether there are tasks to plan.
  boolean runnable(Checkpoint at) {
    return !at.pending().activations().isEmpty() && !at.pending().isEnd();
  }

  /// Why the next superstep must not start, if so.
  Optional<Rest> rest(Checkpoint at, List<Task> tasks) {
    if (driver.signals().cancelRequested()) {
      return Optional.of(cancelled(at));
    }
    if (tasks.isEmpty()) {
      return takesAtEnd(at) ? Optional.empty() : Optional.of(atEnd(at));
    }
    if (driver.stopped().isPresent()) {
      return Optional.of(failed(at, driver.stopped().get()));
    }
    if (driver.signals().pausesBehind(at.superstep())) {
      return Optional.of(paused(nodes(tasks), at.superstep()));
    }
    if (driver.drainAt().isPresent()) {
      return Optional.of(handedBack(at));
    }
    if (!driver.deadline().isAfter(driver.now())) {
      return Optional.of(timedOut(at));
    }
    int superstepsMax = limits.superstepsMax().orElse(driver.limits().superstepsDefault());
    if (at.superstep() >= superstepsMax) {
      return Optional.of(outOfSupersteps(at, superstepsMax));
    }
    return breakBefore(at, tasks);
  }

  /// Whether messages wait where nothing is left to run: a superstep without tasks takes them
  /// (E49).
  private boolean takesAtEnd(Checkpoint at) {
    return at.pending().isEnd() && Intake.takesAtEnd(inbox, driver.signals().messages());
  }

  private Rest outOfSupersteps(Checkpoint at, int max) {
    return failed(
        at,
        RunError.of(
            "max_supersteps_exceeded",
            "%d supersteps are committed and nodes are still pending; resume with a higher limit"
                .formatted(max)));
  }

  /// Only `__end__` can be left (E13, E47).
  private Rest atEnd(Checkpoint at) {
    return at.pending().isEnd() ? succeeded(at) : failed(at, unfinished(at.pending()));
  }

  private Rest succeeded(Checkpoint at) {
    var runHead = head(RunStatus.SUCCEEDED, at.superstep() + 1);
    return new Rest(runHead, List.of(Event.of("run.succeeded", ObjectValue.empty())));
  }

  /// The run's status once `pending` is committed as superstep `superstep`, with `ran` tasks.
  Rest after(Pending pending, int superstep, List<Task> ran) {
    if (pending.isEnd()) {
      return new Rest(
          head(RunStatus.SUCCEEDED, superstep + 1),
          List.of(Event.of("run.succeeded", ObjectValue.empty())));
    }
    if (pending.activations().isEmpty()) {
      return failed(superstep, unfinished(pending));
    }
    if (driver.signals().pausesBehind(superstep)) {
      return paused(
          pending.activations().stream().map(it -> it.node().value()).distinct().toList(),
          superstep);
    }
    var listed = listed(breakpoints.after(), ran);
    return listed.isEmpty()
        ? new Rest(head(RunStatus.RUNNING, superstep), List.of())
        : broken("after", listed, superstep);
  }

  private RunError unfinished(Pending pending) {
    var missing = joins.missing(pending.arrivals());
    return missing.isEmpty()
        ? RunError.of("no_branch_completed", "no branch of the run reached __end__")
        : stalled(missing);
  }

  private static RunError stalled(Map<String, List<NodeId>> missing) {
    var details = ObjectValue.empty();
    for (var join : missing.entrySet()) {
      var sources = ListValue.of(join.getValue().stream().map(it -> Value.of(it.value())).toList());
      details = details.plus(join.getKey(), sources);
    }
    var error =
        TaskError.permanent(
            "stalled_join", "joins wait for nodes that will not run any more: " + missing);
    return new RunError(error.with("missing", details), Optional.empty(), 0);
  }

  private Optional<Rest> breakBefore(Checkpoint at, List<Task> tasks) {
    boolean isPassed = passed.superstep() == at.superstep() && passed.before();
    var listed = listed(breakpoints.before(), tasks);
    return isPassed || listed.isEmpty() || !at.held().isEmpty()
        ? Optional.empty()
        : Optional.of(broken("before", listed, at.superstep()));
  }

  private static List<String> listed(Set<String> nodes, List<Task> tasks) {
    return nodes.isEmpty()
        ? List.of()
        : nodes(tasks).stream().filter(it -> Breakpoints.lists(nodes, new NodeId(it))).toList();
  }

  private static List<String> nodes(List<Task> tasks) {
    return tasks.stream()
        .filter(it -> !it.isEngines())
        .map(it -> it.key().node().value())
        .distinct()
        .toList();
  }

  /// The run goes on when a call says so, and not by itself.
  private Rest paused(List<String> nodes, int superstep) {
    return broken(RunHead.Breakpoint.PAUSE, nodes, superstep);
  }

  private Rest broken(String when, List<String> nodes, int superstep) {
    var runHead =
        new RunHead(
            RunStatus.INTERRUPTED,
            superstep,
            Optional.empty(),
            Optional.of(new RunHead.Breakpoint(when, nodes)),
            Optional.empty(),
            passed,
            driver.elapsed());
    var data =
        ObjectValue.of("breakpoint", when)
            .plus("nodes", ListValue.texts(nodes.toArray(String[]::new)));
    return new Rest(runHead, List.of(Event.of("run.interrupted", superstep, data)));
  }

  /// The run's status at a superstep that cannot be committed (E33). While a child or a worker can
  /// continue by itself the run waits for it, whatever other tasks ask (C31).
  Rest held(Checkpoint at, List<OpenTask> openTasks) {
    var due = Optional.<Instant>empty();
    boolean asks = false;
    boolean sleeps = false;
    boolean othersMove = false;
    for (var openTask : openTasks) {
      var interrupt = openTask.openInterrupt();
      var waiting = openTask.waiting();
      asks |= interrupt.isPresent() || openTask.waitsForPeople();
      sleeps |= waiting.isPresent() || openTask.isOut();
      othersMove |= openTask.isOut() && !openTask.waitsForPeople();
      due = earliest(due, interrupt.flatMap(TaskRecord.Interrupt::expiresAt));
      due = earliest(due, waiting.map(TaskRecord.TaskStatus.Waiting::dueAt));
    }
    if (!asks && !sleeps) {
      return failed(at, firstError(openTasks));
    }
    var status = asks && !othersMove ? RunStatus.INTERRUPTED : RunStatus.WAITING;
    return resting(at, openTasks, status, due);
  }

  private Rest resting(
      Checkpoint at, List<OpenTask> openTasks, RunStatus status, Optional<Instant> due) {
    if (driver.signals().pausesBehind(at.superstep())) {
      return paused(nodes(openTasks.stream().map(OpenTask::task).toList()), at.superstep());
    }
    return status == RunStatus.INTERRUPTED
        ? resting(at, status, due, "run.interrupted")
        : resting(at, status, earliest(due, Optional.of(driver.deadline())), "run.waiting");
  }

  private static Optional<Instant> earliest(Optional<Instant> a, Optional<Instant> b) {
    return a.isEmpty() || (b.isPresent() && b.get().isBefore(a.get())) ? b : a;
  }

  private Rest resting(Checkpoint at, RunStatus status, Optional<Instant> wakesAt, String event) {
    var elapsed = driver.elapsed();
    if (status == RunStatus.WAITING && wakesAt.isPresent()) {
      elapsed = elapsed.plus(Duration.between(driver.now(), wakesAt.get()));
    }
    var runHead =
        new RunHead(
            status, at.superstep(), Optional.empty(), Optional.empty(), wakesAt, passed, elapsed);
    var data =
        wakesAt.map(it -> ObjectValue.of("wakes_at", it.toString())).orElse(ObjectValue.empty());
    return new Rest(runHead, List.of(Event.of(event, at.superstep(), data)));
  }

  private static RunError firstError(List<OpenTask> openTasks) {
    for (var openTask : openTasks) {
      var record = openTask.record();
      if (record != null && openTask.failed()) {
        var error =
            switch (record.ended()) {
              case TaskRecord.TaskStatus.Failed(var failure) -> failure;
              case TaskRecord.TaskStatus.Rejected(_, var failure) -> failure;
              case TaskRecord.TaskStatus.Done _,
                  TaskRecord.TaskStatus.Handled _,
                  TaskRecord.TaskStatus.Cancelled _ ->
                  throw new IllegalStateException("it has not failed");
            };
        return new RunError(error, Optional.of(record.key()), record.attempts());
      }
    }
    throw new IllegalStateException("a superstep without a failed task is held");
  }

  Rest timedOut(Checkpoint at) {
    return failed(
        at,
        RunError.of(
            "run_timeout", "the run's wall time is over; resume with a higher limits.timeout"));
  }

  Rest cancelled(Checkpoint at) {
    var runHead = head(RunStatus.CANCELLED, at.superstep());
    return new Rest(runHead, List.of(Event.of("run.cancelled", ObjectValue.empty())));
  }

  /// Hands the run back to be claimed by any replica.
  Rest handedBack(Checkpoint at) {
    var runHead =
        new RunHead(
            RunStatus.QUEUED,
            at.superstep(),
            Optional.empty(),
            Optional.empty(),
            Optional.of(driver.now()),
            passed,
            driver.elapsed());
    return new Rest(runHead, List.of());
  }

  private Rest failed(Checkpoint at, RunError error) {
    return failed(at.superstep(), error);
  }

  /// Fails the run at the superstep that has committed last.
  Rest failed(int superstep, RunError error) {
    var runHead =
        new RunHead(
            RunStatus.FAILED,
            superstep,
            Optional.of(error),
            Optional.empty(),
            Optional.empty(),
            passed,
            driver.elapsed());
    return new Rest(
        runHead, List.of(Event.of("run.failed", superstep, TaskEvents.error(error.error()))));
  }

  private RunHead head(RunStatus status, int superstep) {
    return new RunHead(
        status,
        superstep,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        RunHead.Passed.NONE,
        driver.elapsed());
  }
}
