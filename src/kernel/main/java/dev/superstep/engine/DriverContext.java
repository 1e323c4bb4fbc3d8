package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.node.AttemptId;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.node.Span;
import dev.superstep.engine.node.WorkPermits;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseWatch;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.Limits;
import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// State that a driver keeps from superstep to superstep, besides the checkpoint.
final class DriverContext {
  private final Ports ports;
  private final EngineLimits limits;
  private final Inbox inbox;
  private final LoadedRun loaded;
  private final int concurrencyMax;
  private final Instant claimedAt;
  private final Instant deadline;
  private final RunBudget runBudget;
  private final Span span;
  private final LeaseWatch.Term term;
  private final DeferredCommits deferredCommits;
  private final RunObserver observer;
  private Optional<Instant> drainAt = Optional.empty();
  private Optional<RunError> stopped = Optional.empty();
  private RunSignals runSignals;

  public DriverContext(
      Ports ports, EngineLimits limits, Inbox inbox, LoadedRun loaded, Limits inForce) {
    this.ports = ports;
    this.limits = limits;
    this.inbox = inbox;
    this.loaded = loaded;
    this.runSignals = loaded.signals();
    concurrencyMax =
        Math.min(inForce.concurrencyMax().orElse(Integer.MAX_VALUE), limits.concurrencyMax());
    term = ports.leases().begin();
    span = ports.tracing().run(loaded.header());
    runBudget = new RunBudget(inForce, spent(loaded.checkpoint()));
    deferredCommits =
        new DeferredCommits(ports.store(), loaded.lease(), limits.deferral(), loaded.checkpoint());
    observer = deferredCommits.behind(ports.observer());
    claimedAt = ports.clock().instant();
    deadline =
        claimedAt.plus(inForce.timeout().orElse(limits.timeoutDefault())).minus(startElapsed());
  }

  private static Usage spent(Checkpoint at) {
    return TaskRecord.spending(at.pending().spent(), at.held().values()).total();
  }

  public Ports ports() {
    return ports;
  }

  public EngineLimits limits() {
    return limits;
  }

  /// Takes what has arrived between two supersteps, and has other runs go first whose turn it is: a
  /// run that never blocks would do neither. Attempts that end now were abandoned.
  ///
  /// @throws InterruptedException if the run is not driven here any more
  public void receive() throws InterruptedException {
    for (var signal = inbox.poll(); signal.isPresent(); signal = inbox.poll()) {
      switch (signal.get()) {
        case Inbox.Signal.Nudge _ -> readSignals();
        case Inbox.Signal.Stop(var why) -> stop(why);
        case Inbox.Signal.Drain(var deadline) -> drainAt(deadline);
        case Inbox.Signal.StoreFailed(var cause) -> throw cause;
        case Inbox.Signal.Ended _, Inbox.Signal.SideEffect _ -> {}
      }
    }
    if (drainAt.isEmpty()) {
      WorkPermits.passTurn(deferredCommits::flush);
    }
  }

  Inbox inbox() {
    return inbox;
  }

  public Lease lease() {
    return loaded.lease();
  }

  /// The commits that are not on disk yet.
  DeferredCommits deferred() {
    return deferredCommits;
  }

  /// Whether the attempt may repeat one that has recorded steps, of this driver or of an earlier
  /// owner of the run.
  StepRepetition repeats(AttemptId attempt) {
    boolean open = attempt.superstep() == loaded.checkpoint().superstep() + 1;
    return attempt.token() > 1 || (open && ports.store().mayRepeat(lease()))
        ? StepRepetition.POSSIBLE
        : StepRepetition.NONE;
  }

  enum StepRepetition {
    POSSIBLE,
    NONE
  }

  /// For how long the lease holds.
  LeaseWatch.Term term() {
    return term;
  }

  /// The span of this driver; its creator ends it.
  public Span span() {
    return span;
  }

  /// What all attempts of this driver draw on.
  RunBudget budget() {
    return runBudget;
  }

  int concurrencyMax() {
    return concurrencyMax;
  }

  public Instant now() {
    return ports.clock().instant();
  }

  /// When the run's wall time is over (E15).
  public Instant deadline() {
    return deadline;
  }

  /// Wall time counted so far.
  public Duration elapsed() {
    return startElapsed().plus(Duration.between(claimedAt, now()));
  }

  /// A wait that ended early was counted in full when it began.
  private Duration startElapsed() {
    var runHead = loaded.head();
    var early =
        runHead.status() == RunStatus.WAITING
            ? runHead.wakesAt().map(it -> Duration.between(claimedAt, it)).orElse(Duration.ZERO)
            : Duration.ZERO;
    return early.isPositive() ? runHead.elapsed().minus(early) : runHead.elapsed();
  }

  public Optional<Instant> drainAt() {
    return drainAt;
  }

  void drainAt(Instant at) {
    drainAt = Optional.of(at);
  }

  /// Why the run may not go on, if so.
  public Optional<RunError> stopped() {
    return stopped;
  }

  void stop(RunError why) {
    stopped = Optional.of(why);
  }

  public RunSignals signals() {
    return runSignals;
  }

  /// Messages that are known are not read again: a run to which many are sent hears of each.
  public RunSignals readSignals() {
    var known = runSignals.messages();
    runSignals =
        known.isEmpty()
            ? ports.store().signals(lease())
            : ports.store().signals(lease(), known.getLast().seq()).behind(known);
    return runSignals;
  }

  /// A commit has taken these messages.
  void taken(List<String> messages) {
    if (!messages.isEmpty()) {
      var known = Set.copyOf(messages);
      runSignals =
          runSignals.with(
              runSignals.messages().stream().filter(it -> !known.contains(it.id())).toList());
    }
  }

  /// Closes expired interrupts. Answers to some of them may be among the signals.
  RunSignals expire(List<String> interrupts) {
    runSignals = ports.store().expire(lease(), interrupts);
    return runSignals;
  }

  /// Closes interrupts that nobody needs any more. Answers to some of them may be among the
  /// signals.
  RunSignals cancel(List<String> interrupts) {
    runSignals = ports.store().cancel(lease(), interrupts);
    return runSignals;
  }

  /// What is told of live events of this run.
  RunObserver observer() {
    return observer;
  }

  /// Publishes what happens to an attempt as a live event.
  void observe(String type, TaskKey task, int attempt) {
    var run = loaded.header().id();
    if (observer.watches(run)) {
      observer.observe(run, type, task, ObjectValue.of("attempt", attempt));
    }
  }
}
