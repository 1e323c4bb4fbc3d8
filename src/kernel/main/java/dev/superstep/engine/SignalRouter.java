package dev.superstep.engine;

import dev.superstep.engine.run.ChildEnd;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.state.value.Value;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Delivers the signals of API calls, child runs and workers to the tasks that wait for them.
final class SignalRouter {
  private final List<OpenTask> openTasks;
  private final Admission admission;
  private final TaskTransitions taskTransitions;
  private final DriverContext driver;
  private final Consumer<OpenTask> resolved;

  /// Number of the last answer by which the ends of workers were read.
  private int workerEndsThrough;

  SignalRouter(
      List<OpenTask> openTasks,
      Admission admission,
      TaskTransitions taskTransitions,
      DriverContext driver,
      Consumer<OpenTask> resolved) {
    this.openTasks = openTasks;
    this.admission = admission;
    this.taskTransitions = taskTransitions;
    this.driver = driver;
    this.resolved = resolved;
  }

  void apply(RunSignals runSignals) {
    if (!runSignals.answers().isEmpty() || !runSignals.resolutions().isEmpty()) {
      var open = openInterrupts();
      for (var answer : runSignals.answers()) {
        var openTask = open.get(answer.interruptId());
        if (openTask != null) {
          answer(openTask, answer.interruptId(), answer.value());
        }
      }
      runSignals.resolutions().forEach(this::resolve);
    }
    if (!runSignals.children().isEmpty()) {
      var waiting = waitingForChildren();
      for (var child : runSignals.children()) {
        var openTask = waiting.get(child.run());
        if (openTask != null) {
          onChild(openTask, child);
        }
      }
    }
    if (runSignals.answersCount() > workerEndsThrough) {
      deliverWorkerEnds();
      workerEndsThrough = runSignals.answersCount();
    }
  }

  /// Only the ends of tasks that wait are read: a run that is woken often reads each once.
  private void deliverWorkerEnds() {
    var waiting = new HashMap<String, OpenTask>();
    openTasks.forEach(it -> it.worker().ifPresent(queuedAs -> waiting.put(queuedAs, it)));
    deliver(waiting);
  }

  /// @param waiting by their ids; those that have ended are removed
  private void deliver(Map<String, OpenTask> waiting) {
    var store = driver.ports().store();
    while (!waiting.isEmpty()) {
      var ends = store.workerEnds(driver.lease(), Set.copyOf(waiting.keySet()));
      if (ends.isEmpty()) {
        return;
      }
      for (var ended : ends) {
        var openTask = waiting.remove(ended.task());
        if (openTask != null) {
          openTask.workerEnded(ended.end());
          admission.giveBack(openTask);
        }
      }
    }
  }

  /// A task waits for a callback. If its answer has come before, it may be among those that are
  /// counted already; a hold is refused if it is not.
  void waitsForCallback(OpenTask openTask) {
    if (driver.signals().answersCount() > 0) {
      openTask.worker().ifPresent(id -> deliver(new HashMap<>(Map.of(id, openTask))));
    }
  }

  private Map<String, OpenTask> openInterrupts() {
    var open = new HashMap<String, OpenTask>();
    openTasks.forEach(
        it -> it.openInterrupt().ifPresent(interrupt -> open.put(interrupt.id(), it)));
    return open;
  }

  void answer(OpenTask openTask, String interruptId, Value value) {
    openTask.answer(interruptId, value);
    admission.ready(openTask);
  }

  private void resolve(RunSignals.Resolution resolution) {
    for (var openTask : openTasks) {
      if (openTask.task().key().equals(resolution.task()) && openTask.failed()) {
        taskTransitions.resolve(openTask, NodeResult.of(resolution.change()));
        resolved.accept(openTask);
      }
    }
  }

  private Map<String, OpenTask> waitingForChildren() {
    var waiting = new HashMap<String, OpenTask>();
    openTasks.forEach(it -> it.child().ifPresent(child -> waiting.put(child.run(), it)));
    return waiting;
  }

  private void onChild(OpenTask openTask, RunSignals.Child child) {
    switch (child.status()) {
      case SUCCEEDED, FAILED, CANCELLED -> {
        ended(openTask, driver.ports().store().childEnd(child.run()));
        admission.giveBack(openTask);
      }
      case INTERRUPTED, QUEUED, RUNNING, WAITING, CANCELLING -> openTask.childIs(child.status());
    }
  }

  private void ended(OpenTask openTask, ChildEnd end) {
    var runBudget = driver.budget();
    runBudget.count(openTask.takeOver(end.spent()));
    openTask.childEnded(runBudget.explain(end, driver.lease().run()));
  }
}
