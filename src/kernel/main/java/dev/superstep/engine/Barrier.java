package dev.superstep.engine;

import dev.superstep.engine.Timers.TimerKind;
import dev.superstep.engine.checkpoint.Repeats;
import dev.superstep.engine.checkpoint.TaskRecord.Interrupt;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.Outcome;
import dev.superstep.engine.node.TaskPool;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.TaskError;
import dev.superstep.state.value.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs the tasks of one superstep and waits until each is done, failed, interrupted or waiting
/// (E10.2, E10.3). A task that fails or asks never cancels its siblings. Everything here happens on
/// the driver's thread, but for the attempts themselves.
final class Barrier {
  /// Waits this short stay in memory (E31, E33).
  private static final Duration SHORT = Duration.ofSeconds(2);

  /// So long the only task of a superstep is waited for in memory when a worker waited for it: less
  /// is written and read than for a run that rests.
  private static final Duration STAY = Duration.ofMillis(100);

  /// How often to check whether a lease that may have expired is confirmed.
  private static final Duration LOOK = Duration.ofMillis(100);

  private final SuperstepContext superstepContext;
  private final DriverContext driver;
  private final List<OpenTask> openTasks;
  private final Admission admission;
  private final TaskTransitions taskTransitions;
  private final OutcomeRecorder outcomeRecorder;
  private final RemoteTasks remoteTasks;
  private final SignalRouter signalRouter;
  private final FanOutCut fanOutCut;
  private final Timers timers = new Timers();
  private final Questions questions;
  private Optional<Instant> mayStartAt = Optional.empty();
  private @Nullable Stop stop;
  private boolean closedQuestions;

  /// Why the barrier returned to the driver.
  public enum Stop {
    /// Nothing can run any more.
    SETTLED,
    /// The run is to be cancelled.
    CANCELLED,
    /// The run's wall time is over.
    TIMED_OUT,
    /// The replica shuts down.
    DRAINED
  }

  /// How expired interrupts are treated.
  public enum Questions {
    EXPIRE,
    /// They wait for the driver, the only reader of answers.
    STAY
  }

  public Barrier(
      SuperstepContext superstepContext,
      DriverContext driver,
      ErrorEdges errorEdges,
      List<OpenTask> openTasks,
      Questions questions) {
    this.superstepContext = superstepContext;
    this.driver = driver;
    this.questions = questions;
    this.openTasks = openTasks;
    var graph = superstepContext.program().graph();
    var fanOuts = questions == Questions.STAY ? FanOuts.NONE : FanOuts.of(graph, openTasks);
    admission = new Admission(driver.concurrencyMax(), openTasks, graph, fanOuts);
    taskTransitions = new TaskTransitions(superstepContext, driver, errorEdges);
    outcomeRecorder = new OutcomeRecorder(superstepContext, driver);
    remoteTasks = RemoteTasks.of(superstepContext, driver, openTasks, fanOuts);
    fanOutCut =
        new FanOutCut(
            fanOuts,
            driver,
            admission,
            remoteTasks,
            outcomeRecorder,
            it -> deliver(driver.expire(it)));
    signalRouter = new SignalRouter(openTasks, admission, taskTransitions, driver, fanOutCut::note);
    openTasks.forEach(this::open);
    fanOutCut.open();
  }

  public List<OpenTask> openTasks() {
    return openTasks;
  }

  private void open(OpenTask openTask) {
    switch (openTask.phase()) {
      case READY -> admission.ready(openTask);
      case SLEEPING -> {
        openTask.waiting().ifPresent(it -> timers.add(it.dueAt(), openTask, TimerKind.SLEEP_ENDS));
        if (openTask.isParked()) {
          admission.parked(openTask);
        }
        if (openTask.isOut()) {
          admission.restored(openTask);
        }
      }
      case SETTLED, RUNNING -> expireLater(openTask);
      case AWAY -> {}
    }
  }

  private void expireLater(OpenTask openTask) {
    if (questions == Questions.STAY) {
      return;
    }
    openTask
        .openInterrupt()
        .flatMap(Interrupt::expiresAt)
        .ifPresent(it -> timers.add(it, openTask, TimerKind.INTERRUPT_EXPIRES));
  }

  /// Runs until nothing can run, or an external signal stops it.
  public Stop await() throws InterruptedException {
    stop = null;
    while (stop == null) {
      fireTimers();
      receive();
      fanOutCut.apply();
      startReady();
      if (stop == null && settled()) {
        return Stop.SETTLED;
      }
      if (stop == null) {
        flushIfDue();
      }
      if (stop == null) {
        driver.inbox().take(until()).ifPresent(this::accept);
      }
    }
    return stop;
  }

  private void flushIfDue() {
    outcomeRecorder.flushIfDue();
    driver.deferred().flushIfDue(driver.now());
    if (driver.deferred().isRefused()) {
      stop = Stop.CANCELLED;
    }
  }

  /// Whether a failure does not hold the superstep, as far as is known (E54).
  boolean tolerates(OpenTask openTask) {
    return fanOutCut.tolerates(openTask);
  }

  /// Delivers the signals to the tasks that wait for them.
  public void apply(RunSignals runSignals) {
    signalRouter.apply(runSignals);
  }

  /// Closes the questions of a run that messages have go on, if they came behind the question
  /// (E49). Answers that have come before count.
  ///
  /// @return whether there were any: the superstep has to be run once more
  boolean closeQuestions() {
    var messages = driver.signals().messages();
    if (messages.isEmpty() || !superstepContext.program().graph().settings().inbox().resumes()) {
      return false;
    }
    var last = messages.getLast().sentAt();
    var asking =
        openTasks.stream()
            .filter(it -> it.openInterrupt().filter(q -> q.createdAt().isBefore(last)).isPresent())
            .toList();
    if (asking.isEmpty()) {
      return false;
    }
    outcomeRecorder.flush();
    var ids = asking.stream().flatMap(it -> it.openInterrupt().stream()).map(Interrupt::id);
    deliver(driver.cancel(ids.toList()));
    asking.stream()
        .filter(it -> it.openInterrupt().isPresent())
        .forEach(it -> {
          it.cancel(driver.now());
          fanOutCut.note(it);
          closedQuestions = true;
        });
    return true;
  }

  /// Whether messages have closed questions of this superstep.
  boolean hasClosedQuestions() {
    return closedQuestions;
  }

  /// Takes over outcomes from other replicas. Answers to their interrupts may be here already.
  private void receive() {
    var arrived = remoteTasks.isBack() ? List.<OpenTask>of() : remoteTasks.receive(driver.now());
    if (!arrived.isEmpty()) {
      arrived.forEach(this::open);
      arrived.forEach(fanOutCut::note);
      apply(driver.signals());
    }
  }

  private void startReady() {
    mayStartAt = Optional.empty();
    if (!driver.term().holds()) {
      mayStartAt = Optional.of(driver.now().plus(LOOK));
      return;
    }
    for (var ready = admission.admit(); ready.isPresent(); ready = admission.admit()) {
      start(ready.get());
    }
  }

  private void start(OpenTask openTask) {
    var live = taskTransitions.begin(openTask);
    if (openTasks.size() == 1 && superstepContext.program().isBrief(openTask.task().key().node())) {
      ended(openTask, live.run());
      return;
    }
    int token = openTask.token();
    var inbox = driver.inbox();
    int superstep = superstepContext.superstep();
    live.runsOn(
        driver
            .ports()
            .pool()
            .start(
                TaskPool.PoolTurn.of(openTasks.size()),
                () ->
                    inbox.put(
                        new Inbox.Signal.Ended(
                            superstep, openTask.index(), token, live.runUnderLease()))));
    var timeout = openTask.task().node().policy().timeout().map(driver.now()::plus);
    openTask
        .attemptEnd()
        .map(it -> Timers.earlier(it, timeout))
        .or(() -> timeout)
        .ifPresent(it -> timers.add(it, openTask, TimerKind.ATTEMPT_ENDS));
  }

  private void accept(Inbox.Signal signal) {
    switch (signal) {
      case Inbox.Signal.Ended(int superstep, int index, int token, Outcome outcome) -> {
        if (superstep == superstepContext.superstep()) {
          accept(openTasks.get(index), token, outcome);
        }
      }
      case Inbox.Signal.SideEffect sideEffect -> record(sideEffect);
      case Inbox.Signal.StoreFailed(var cause) -> throw cause;
      case Inbox.Signal.Nudge _ -> readSignals();
      case Inbox.Signal.Stop(var why) -> driver.stop(why);
      case Inbox.Signal.Drain(var deadline) -> driver.drainAt(deadline);
    }
  }

  private void record(Inbox.Signal.SideEffect sideEffect) {
    var attempt = sideEffect.attempt();
    if (attempt.superstep() != superstepContext.superstep()) {
      return;
    }
    var openTask = openTasks.get(attempt.task());
    if (openTask.runs(attempt.token())) {
      openTask.keepPart(sideEffect.name(), sideEffect.value(), driver.now());
      outcomeRecorder.recordRunning(openTask, sideEffect.stored());
    }
  }

  private void accept(OpenTask openTask, int token, Outcome outcome) {
    // A late ending of an attempt that timed out does not concern the current one.
    if (openTask.runs(token)) {
      ended(openTask, outcome);
    }
  }

  private void ended(OpenTask openTask, Outcome outcome) {
    taskTransitions.end(openTask, outcome, wakesBelow(openTask, outcome));
    if (openTask.isOut()) {
      admission.lend(openTask);
    } else {
      admission.ended(openTask);
    }
    if (openTask.isParked()) {
      admission.parked(openTask);
    }
    switch (openTask.phase()) {
      case SLEEPING ->
          openTask
              .waiting()
              .ifPresent(it -> timers.add(it.dueAt(), openTask, TimerKind.SLEEP_ENDS));
      case SETTLED -> expireLater(openTask);
      case READY, RUNNING, AWAY -> throw new IllegalStateException("the attempt has ended");
    }
    outcomeRecorder.add(openTask);
    fanOutCut.note(openTask);
    if (outcome instanceof Outcome.Worker(var task) && mayEndSoon(task.type())) {
      outcomeRecorder.flush();
      timers.add(driver.now().plus(STAY), openTask, TimerKind.STAY_ENDS);
    }
    if (openTask.worker().isPresent() && !(outcome instanceof Outcome.Worker)) {
      signalRouter.waitsForCallback(openTask);
    }
  }

  private boolean mayEndSoon(String type) {
    return openTasks.size() == 1 && driver.ports().store().isAwaited(driver.lease(), type);
  }

  private int wakesBelow(OpenTask openTask, Outcome outcome) {
    return outcome instanceof Outcome.Child || outcome instanceof Outcome.Worker
        ? admission.wakesBelow(openTask)
        : 0;
  }

  private void fireTimers() {
    var now = driver.now();
    var expired = new ArrayList<OpenTask>();
    for (var timer = timers.due(now); timer.isPresent(); timer = timers.due(now)) {
      fire(timer.get(), now, expired);
    }
    if (!expired.isEmpty()) {
      expire(expired);
    }
    if (driver.drainAt().filter(it -> !it.isAfter(now)).isPresent()) {
      stop = Stop.DRAINED;
    }
    if (!driver.deadline().isAfter(now)) {
      stop = Stop.TIMED_OUT;
    }
  }

  private void fire(Timers.Timer timer, Instant now, List<OpenTask> expired) {
    var openTask = timer.openTask();
    switch (timer.kind()) {
      case SLEEP_ENDS ->
          openTask
              .waiting()
              .filter(_ -> !pauses())
              .ifPresent(_ -> {
                boolean parked = openTask.isParked();
                openTask.wake();
                if (parked) {
                  admission.resume(openTask);
                } else {
                  admission.ready(openTask);
                }
              });
      case ATTEMPT_ENDS -> attemptDue(openTask, now);
      case INTERRUPT_EXPIRES -> openTask.openInterrupt().ifPresent(_ -> expired.add(openTask));
      case STAY_ENDS -> {}
    }
  }

  private void attemptDue(OpenTask openTask, Instant now) {
    var live = openTask.running().orElse(null);
    if (live == null || live.hasEnded()) {
      return;
    }
    var policy = openTask.task().node().policy();
    var ownEnd = policy.timeout().map(it -> live.due(it).orElse(now.plus(it)));
    var totalEnd = openTask.attemptEnd();
    var due = totalEnd.map(it -> Timers.earlier(it, ownEnd)).or(() -> ownEnd).orElse(now);
    if (due.isAfter(now)) {
      var soon = now.plus(LOOK);
      timers.add(due.isAfter(soon) ? due : soon, openTask, TimerKind.ATTEMPT_ENDS);
      return;
    }
    live.abandon();
    var error =
        totalEnd.filter(it -> !it.isAfter(now)).isPresent()
            ? Repeats.timedOut(policy.totalTimeout().orElseThrow())
            : TaskError.retryable(
                "node_timeout", "no answer within %s".formatted(policy.timeout().orElseThrow()));
    ended(openTask, new Outcome.Failed(error));
  }

  /// The store decides between an answer and the expiry: an interrupt that it closes cannot be
  /// answered any more, and one that it does not close has been answered.
  private void expire(List<OpenTask> due) {
    var ids = due.stream().flatMap(it -> it.openInterrupt().stream()).map(Interrupt::id).toList();
    deliver(driver.expire(ids));
    due.forEach(openTask -> openTask.openInterrupt().ifPresent(it -> expire(openTask, it)));
  }

  private void expire(OpenTask openTask, Interrupt interrupt) {
    if (interrupt.defaultAnswer().isPresent()) {
      signalRouter.answer(openTask, interrupt.id(), interrupt.defaultAnswer().get());
    } else {
      taskTransitions.expire(
          openTask,
          TaskError.permanent(
                  "interrupt_expired", "nobody answered '%s' in time".formatted(interrupt.reason()))
              .with("interrupt_id", Value.of(interrupt.id())));
      fanOutCut.note(openTask);
    }
  }

  /// Interrupts all running attempts, and notes what they have spent on models.
  public void abort() {
    abandon();
    var now = driver.now();
    for (var openTask : openTasks) {
      if (openTask.abort(now)) {
        outcomeRecorder.keepSpent(openTask);
      }
    }
  }

  /// Records the remaining outcomes; the next claim then finds them.
  public void flush() {
    outcomeRecorder.flush();
  }

  /// Records only model usage: the run ends, and no other outcome matters.
  public void flushSpent() {
    outcomeRecorder.flushSpent();
  }

  private void readSignals() {
    deliver(driver.readSignals());
  }

  private void deliver(RunSignals runSignals) {
    apply(runSignals);
    if (runSignals.cancelRequested()) {
      stop = Stop.CANCELLED;
    }
  }

  private boolean settled() {
    return admission.idle()
        && remoteTasks.isBack()
        && (pauses()
            || timers.next().filter(it -> !it.isAfter(driver.now().plus(SHORT))).isEmpty());
  }

  /// Whether the run pauses instead of what it waits for.
  private boolean pauses() {
    return driver.signals().pausesBehind(superstepContext.at().superstep());
  }

  private Optional<Instant> until() {
    var until = driver.deadline();
    until = Timers.earlier(until, timers.next());
    until = Timers.earlier(until, outcomeRecorder.dueAt());
    until = Timers.earlier(until, driver.deferred().dueAt());
    until = Timers.earlier(until, remoteTasks.pollAt());
    until = Timers.earlier(until, mayStartAt);
    return Optional.of(Timers.earlier(until, driver.drainAt()));
  }

  /// Abandons the superstep with its driver, and says which answers are lost by that: their calls
  /// are made again.
  public void drop() {
    for (var openTask : openTasks) {
      var task = openTask.task().key();
      if (openTask.isUnwritten() && !superstepContext.program().runner(task.node()).pure()) {
        driver.ports().observer().lost(superstepContext.run().id(), task);
      }
    }
    abandon();
  }

  /// Interrupts all running attempts, here and on other replicas; their outcomes are ignored.
  public void abandon() {
    openTasks.forEach(OpenTask::abandon);
    remoteTasks.withdraw();
  }
}
