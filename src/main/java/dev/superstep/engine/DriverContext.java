package dev.superstep.engine;

import dev.superstep.graph.Limits;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/// What a driver keeps about its run from superstep to superstep, besides the checkpoint.
final class DriverContext {
  private final Ports ports;
  private final EngineLimits limits;
  private final Inbox inbox;
  private final RunImage image;
  private final int concurrencyMax;
  private final Instant claimedAt;
  private final Instant deadline;
  private final Budget budget;
  private final Span span;
  private final LeaseWatch.Term term;
  private Optional<Instant> drainAt = Optional.empty();
  private News news;

  DriverContext(Ports ports, EngineLimits limits, Inbox inbox, RunImage image, Limits inForce) {
    this.ports = ports;
    this.limits = limits;
    this.inbox = inbox;
    this.image = image;
    this.news = image.news();
    concurrencyMax =
        Math.min(inForce.concurrencyMax().orElse(Integer.MAX_VALUE), limits.concurrencyMax());
    term = ports.leases().begin();
    span = ports.tracing().run(image.header());
    budget = new Budget(inForce, spent(image.checkpoint()));
    claimedAt = ports.clock().instant();
    deadline =
        claimedAt.plus(inForce.timeout().orElse(limits.timeoutDefault())).minus(startElapsed());
  }

  private static Usage spent(Checkpoint at) {
    return TaskRecord.spending(at.pending().spent(), at.held().values()).total();
  }

  Ports ports() {
    return ports;
  }

  EngineLimits limits() {
    return limits;
  }

  Inbox inbox() {
    return inbox;
  }

  Lease lease() {
    return image.lease();
  }

  /// For how long the lease holds.
  LeaseWatch.Term term() {
    return term;
  }

  /// The time in which this driver drives; who made the driver ends it.
  Span span() {
    return span;
  }

  /// What all attempts of this driver draw on.
  Budget budget() {
    return budget;
  }

  int concurrencyMax() {
    return concurrencyMax;
  }

  Instant now() {
    return ports.clock().instant();
  }

  /// When the run's wall time is over (E15).
  Instant deadline() {
    return deadline;
  }

  /// Wall time counted so far.
  Duration elapsed() {
    return startElapsed().plus(Duration.between(claimedAt, now()));
  }

  /// A wait that ended early was counted in full when it began.
  private Duration startElapsed() {
    var head = image.head();
    var early =
        head.status() == RunStatus.WAITING
            ? head.wakesAt().map(it -> Duration.between(claimedAt, it)).orElse(Duration.ZERO)
            : Duration.ZERO;
    return early.isPositive() ? head.elapsed().minus(early) : head.elapsed();
  }

  Optional<Instant> drainAt() {
    return drainAt;
  }

  void drainAt(Instant at) {
    drainAt = Optional.of(at);
  }

  News news() {
    return news;
  }

  News readNews() {
    news = ports.store().news(lease());
    return news;
  }

  /// Closes questions whose time is over. Answers to some of them may be among the news.
  News expire(List<String> interrupts) {
    news = ports.store().expire(lease(), interrupts);
    return news;
  }

  /// Records outcomes while siblings are open (E10.3), with the events of new interrupts (E35).
  void record(Collection<Slot> slots) {
    var records = new ArrayList<TaskRecord>(slots.size());
    var events = new ArrayList<Event>();
    for (var slot : slots) {
      var record = slot.record();
      if (record != null) {
        records.add(record);
        StepEvents.announce(slot).ifPresent(events::add);
      }
    }
    ports.store().record(lease(), records, events);
    slots.forEach(Slot::recordWritten);
  }

  /// Tells those who watch what becomes of the attempt that runs.
  void observe(String type, Slot slot) {
    var run = image.header().id();
    if (ports.observer().watches(run)) {
      var data = ObjectValue.of("attempt", Value.of(slot.attempts()));
      ports.observer().observe(run, type, slot.task().key(), data);
    }
  }
}
