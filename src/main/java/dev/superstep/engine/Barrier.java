package dev.superstep.engine;

import dev.superstep.engine.TaskRecord.Interrupt;
import dev.superstep.engine.Timers.Kind;
import dev.superstep.state.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Runs the tasks of one superstep and waits until each is done, failed, interrupted or waiting
/// (E10.2, E10.3). A task that fails or asks never cancels its siblings. Everything here happens on
/// the driver's thread, but for the attempts themselves.
@SuppressWarnings("checkstyle:ClassFanOutComplexity") // where all of a superstep comes together
final class Barrier {
  /// Waits this short stay in memory (E31, E33).
  private static final Duration SHORT = Duration.ofSeconds(2);

  /// How often to look whether a lease that may be over is confirmed.
  private static final Duration LOOK = Duration.ofMillis(100);

  private final Frame frame;
  private final DriverContext driver;
  private final List<Slot> slots;
  private final Admission admission;
  private final Endings endings;
  private final Recording recording;
  private final Shipment shipment;
  private final Deliveries deliveries;
  private final Timers timers = new Timers();
  private final Questions questions;
  private Optional<Instant> mayStartAt = Optional.empty();
  private @Nullable Stop stop;

  /// Why the barrier let the driver go.
  enum Stop {
    /// Nothing can run any more.
    SETTLED,
    /// The run is to be cancelled.
    CANCELLED,
    /// The run's wall time is over.
    TIMED_OUT,
    /// The replica shuts down.
    DRAINED
  }

  /// What becomes of questions whose time is over.
  enum Questions {
    EXPIRE,
    /// They wait for the driver, who alone hears of answers.
    STAY
  }

  Barrier(
      Frame frame,
      DriverContext driver,
      ErrorEdges errorEdges,
      List<Slot> slots,
      Questions questions) {
    this.frame = frame;
    this.driver = driver;
    this.questions = questions;
    this.slots = slots;
    admission = new Admission(driver.concurrencyMax(), slots);
    endings = new Endings(frame, driver, errorEdges);
    recording = new Recording(frame, driver);
    shipment = Shipment.of(frame, driver, slots);
    deliveries = new Deliveries(slots, admission, endings, driver);
    slots.forEach(this::open);
  }

  List<Slot> slots() {
    return slots;
  }

  private void open(Slot slot) {
    switch (slot.phase()) {
      case READY -> admission.ready(slot);
      case SLEEPING -> {
        slot.waiting().ifPresent(it -> timers.add(it.dueAt(), slot, Kind.SLEEP_ENDS));
        slot.child().ifPresent(_ -> admission.restored(slot));
      }
      case SETTLED, RUNNING -> expireLater(slot);
      case AWAY -> {}
    }
  }

  private void expireLater(Slot slot) {
    if (questions == Questions.STAY) {
      return;
    }
    slot.openInterrupt()
        .flatMap(Interrupt::expiresAt)
        .ifPresent(it -> timers.add(it, slot, Kind.INTERRUPT_EXPIRES));
  }

  /// Runs until nothing can run, or something from outside stops it.
  Stop await() throws InterruptedException {
    stop = null;
    while (stop == null) {
      fireTimers();
      receive();
      startReady();
      if (stop == null && settled()) {
        return Stop.SETTLED;
      }
      if (stop == null) {
        recording.flushIfDue();
        driver.inbox().take(until()).ifPresent(this::accept);
      }
    }
    return stop;
  }

  /// Hands what is in `news` to the tasks it is for.
  void apply(News news) {
    deliveries.apply(news);
  }

  /// Takes in what other replicas have come to. Answers to what they asked may be here already.
  private void receive() {
    var arrived = shipment.isBack() ? List.<Slot>of() : shipment.receive(driver.now());
    if (!arrived.isEmpty()) {
      arrived.forEach(this::open);
      apply(driver.news());
    }
  }

  private void startReady() {
    mayStartAt = Optional.empty();
    if (!driver.term().holds()) {
      mayStartAt = Optional.of(driver.now().plus(LOOK));
      return;
    }
    for (var slot = admission.admit(); slot.isPresent(); slot = admission.admit()) {
      start(slot.get());
    }
  }

  private void start(Slot slot) {
    var live = endings.begin(slot);
    if (slots.size() == 1 && frame.program().neverBlocks(slot.task().key().node())) {
      ended(slot, live.run());
      return;
    }
    int token = slot.token();
    var inbox = driver.inbox();
    int superstep = frame.superstep();
    live.runsOn(
        driver
            .ports()
            .pool()
            .start(
                TaskPool.Turn.of(slots.size()),
                () ->
                    inbox.put(
                        new Inbox.Signal.Ended(
                            superstep, slot.index(), token, live.runUnderLease()))));
    slot.task()
        .node()
        .policy()
        .timeout()
        .ifPresent(it -> timers.add(driver.now().plus(it), slot, Kind.ATTEMPT_ENDS));
  }

  private void accept(Inbox.Signal signal) {
    switch (signal) {
      case Inbox.Signal.Ended(int superstep, int index, int token, Outcome outcome) -> {
        if (superstep == frame.superstep()) {
          accept(slots.get(index), token, outcome);
        }
      }
      case Inbox.Signal.Part part -> keep(part);
      case Inbox.Signal.Nudge _ -> readNews();
      case Inbox.Signal.Drain(var deadline) -> driver.drainAt(deadline);
    }
  }

  private void keep(Inbox.Signal.Part part) {
    var place = part.place();
    if (place.superstep() != frame.superstep()) {
      return;
    }
    var slot = slots.get(place.slot());
    if (slot.runs(place.token())) {
      slot.keepPart(part.name(), part.value(), driver.now());
      recording.keepPart(slot, part.stored());
    }
  }

  private void accept(Slot slot, int token, Outcome outcome) {
    // A late ending of an attempt that timed out says nothing about the one that runs now.
    if (slot.runs(token)) {
      ended(slot, outcome);
    }
  }

  private void ended(Slot slot, Outcome outcome) {
    endings.end(slot, told(slot, outcome));
    if (slot.child().isPresent()) {
      admission.lent(slot);
    } else {
      admission.ended(slot);
    }
    switch (slot.phase()) {
      case SLEEPING ->
          slot.waiting().ifPresent(it -> timers.add(it.dueAt(), slot, Kind.SLEEP_ENDS));
      case SETTLED -> expireLater(slot);
      case READY, RUNNING, AWAY -> throw new IllegalStateException("the attempt has ended");
    }
    recording.keep(slot);
  }

  private Outcome told(Slot slot, Outcome outcome) {
    return outcome instanceof Outcome.Child(var start)
        ? new Outcome.Child(start.wakingBelow(admission.wakesBelow(slot)))
        : outcome;
  }

  private void fireTimers() {
    var now = driver.now();
    var expired = new ArrayList<Slot>();
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

  private void fire(Timers.Timer timer, Instant now, List<Slot> expired) {
    var slot = timer.slot();
    switch (timer.kind()) {
      case SLEEP_ENDS ->
          slot.waiting()
              .ifPresent(_ -> {
                slot.wake();
                admission.ready(slot);
              });
      case ATTEMPT_ENDS -> attemptDue(slot, now);
      case INTERRUPT_EXPIRES -> slot.openInterrupt().ifPresent(_ -> expired.add(slot));
    }
  }

  private void attemptDue(Slot slot, Instant now) {
    var live = slot.running().orElse(null);
    var timeout = slot.task().node().policy().timeout().orElse(Duration.ZERO);
    if (live == null || live.hasEnded()) {
      return;
    }
    var due = live.due(timeout).orElse(now.plus(timeout));
    if (due.isAfter(now)) {
      var soon = now.plus(LOOK);
      timers.add(due.isAfter(soon) ? due : soon, slot, Kind.ATTEMPT_ENDS);
      return;
    }
    live.abandon();
    ended(
        slot,
        new Outcome.Failed(
            TaskError.retryable("node_timeout", "no answer within %s".formatted(timeout))));
  }

  /// The store decides between an answer and the end of the time: what it closes nobody answers any
  /// more, and what it does not close has been answered.
  private void expire(List<Slot> due) {
    var ids = due.stream().flatMap(it -> it.openInterrupt().stream()).map(Interrupt::id).toList();
    hear(driver.expire(ids));
    due.forEach(slot -> slot.openInterrupt().ifPresent(it -> expire(slot, it)));
  }

  private void expire(Slot slot, Interrupt interrupt) {
    if (interrupt.defaultAnswer().isPresent()) {
      deliveries.answer(slot, interrupt.id(), interrupt.defaultAnswer().get());
    } else {
      endings.expire(
          slot,
          TaskError.permanent(
                  "interrupt_expired", "nobody answered '%s' in time".formatted(interrupt.reason()))
              .with("interrupt_id", Value.of(interrupt.id())));
    }
  }

  /// Interrupts whatever still runs, and notes what that has spent on models.
  void cutOff() {
    abandon();
    var now = driver.now();
    for (var slot : slots) {
      if (slot.cutOff(now)) {
        recording.keepSpent(slot);
      }
    }
  }

  /// Keeps what is not recorded yet; the next claim then finds it.
  void flush() {
    recording.flush();
  }

  /// Keeps no more than what has been spent: the run ends, and nothing else of it matters.
  void flushSpent() {
    recording.flushSpent();
  }

  private void readNews() {
    hear(driver.readNews());
  }

  private void hear(News news) {
    apply(news);
    if (news.cancelRequested()) {
      stop = Stop.CANCELLED;
    }
  }

  private boolean settled() {
    return admission.idle()
        && shipment.isBack()
        && timers.next().filter(it -> !it.isAfter(driver.now().plus(SHORT))).isEmpty();
  }

  private Optional<Instant> until() {
    var until = driver.deadline();
    until = Timers.earlier(until, timers.next());
    until = Timers.earlier(until, recording.dueAt());
    until = Timers.earlier(until, shipment.lookAt());
    until = Timers.earlier(until, mayStartAt);
    return Optional.of(Timers.earlier(until, driver.drainAt()));
  }

  /// Interrupts whatever still runs, here or elsewhere: nobody will look at it.
  void abandon() {
    slots.forEach(Slot::abandon);
    shipment.withdraw();
  }
}
