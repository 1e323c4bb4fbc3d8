package dev.superstep.run.trigger;

import dev.superstep.checkpoint.event.IncomingEvents;
import dev.superstep.checkpoint.event.IncomingEvents.IncomingEvent;
import dev.superstep.checkpoint.event.IncomingEvents.StartingEvent;
import dev.superstep.compute.ComputePool;
import dev.superstep.expression.TriggerKind;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunService;
import dev.superstep.schedule.ReplicaPoll;
import dev.superstep.security.ActingCallers;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Starts runs by events. An event is on disk before; a replica takes it for a while, and another
/// one does once that is over. Each run starts in the transaction in which the row of the event
/// notes its trigger: after a crash there is both, or neither.
@Component
public class EventStarts implements ReplicaPoll {
  private static final Logger log = LoggerFactory.getLogger(EventStarts.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /// For so long a replica has an event for itself.
  private static final Duration TERM = Duration.ofSeconds(30);

  /// Few, so that they are through before the term is over.
  private static final int BATCH = 5;

  /// Batches of a replica at a time.
  private static final int AT_A_TIME = 4;

  /// For so long at least an event is tried that could not start a run yet.
  private static final Duration TRIED_MIN = Duration.ofMinutes(10);

  private static final Duration AGAIN_MAX = Duration.ofMinutes(1);
  private static final int ID_CHARS_MAX = 200;

  private final IncomingEvents events;
  private final InboundTriggerRows rows;
  private final MappedStarts mapped;
  private final ComputePool compute;
  private final RunService runs;
  private final ActingCallers acting;
  private final TransactionOperations transaction;
  private final TriggerMetrics metrics;
  private final Semaphore permits = new Semaphore(AT_A_TIME);

  EventStarts(
      IncomingEvents events,
      InboundTriggerRows rows,
      MappedStarts mapped,
      ComputePool compute,
      RunService runs,
      ActingCallers acting,
      TransactionOperations transaction,
      TriggerMetrics metrics) {
    this.events = events;
    this.rows = rows;
    this.mapped = mapped;
    this.compute = compute;
    this.runs = runs;
    this.acting = acting;
    this.transaction = transaction;
    this.metrics = metrics;
  }

  @Override
  public Duration pause() {
    return PAUSE;
  }

  @Override
  public void poll(String replica) {
    startSoon();
  }

  /// Looks for events that start runs. What there is no room for now has its turn later.
  public void startSoon() {
    if (permits.tryAcquire()) {
      Thread.ofVirtual()
          .name("event-starts")
          .start(() -> {
            try {
              startDue();
            } finally {
              permits.release();
            }
          });
    }
  }

  void startDue() {
    List<StartingEvent> taken;
    try {
      do {
        taken = events.takeStarting(TERM, BATCH);
        taken.forEach(this::start);
      } while (!taken.isEmpty());
    } catch (RuntimeException e) {
      log.warn("Events start their runs later", e);
    }
  }

  void start(StartingEvent starting) {
    var event = starting.event();
    try {
      boolean settled = true;
      for (var trigger : rows.ofEvent(event.tenant(), event.type())) {
        settled &= starting.started().contains(name(trigger)) || isSettled(trigger, event);
      }
      events.startAgain(event.id(), settled ? Optional.empty() : again(starting));
    } catch (RuntimeException | StackOverflowError e) {
      log.warn("Event {} starts its runs later", event.id(), e);
      events.startAgain(event.id(), again(starting));
    }
  }

  /// The longer it has been tried, the later.
  private Optional<Duration> again(StartingEvent starting) {
    var event = starting.event();
    var now = starting.takenAt();
    var least = event.receivedAt().plus(TRIED_MIN);
    if (now.isAfter(least) && now.isAfter(starting.expiresAt())) {
      log.warn("Event {} starts no more runs: they were refused for too long", event.id());
      metrics.lost();
      return Optional.empty();
    }
    var pause = Duration.between(event.receivedAt(), now).dividedBy(10);
    return Optional.of(
        pause.compareTo(PAUSE) < 0 ? PAUSE : pause.compareTo(AGAIN_MAX) > 0 ? AGAIN_MAX : pause);
  }

  private static String name(InboundTrigger trigger) {
    return trigger.graph() + "." + trigger.trigger();
  }

  /// @return whether the event need not be tried on it again
  private boolean isSettled(InboundTrigger trigger, IncomingEvent event) {
    try {
      var input = compute.call(() -> input(trigger, event));
      input.ifPresent(it -> acting.act(trigger.caller(), () -> start(trigger, event, it)));
      return true;
    } catch (ServiceException e) {
      return isRefused(trigger, event, e);
    } catch (RuntimeException e) {
      log.warn("Event {} starts a run of '{}' later", event.id(), name(trigger), e);
      return false;
    }
  }

  /// Whether it is for good: what the server is to blame for passes, quotas come back, and a graph
  /// that this replica cannot read was valid for the one that stored it.
  private boolean isRefused(InboundTrigger trigger, IncomingEvent event, ServiceException e) {
    var status = e.code().status();
    if (status.is5xxServerError()
        || status == HttpStatus.TOO_MANY_REQUESTS
        || e.code() == ErrorCode.INVALID_DEFINITION) {
      log.info("Event {} starts a run of '{}' later", event.id(), name(trigger), e);
      return false;
    }
    log.warn("Event {} starts no run of '{}'", event.id(), name(trigger), e);
    if (events.startedBy(event.id(), name(trigger))) {
      metrics.lost();
    }
    return true;
  }

  /// A condition that fails on an event does not match it.
  private Optional<ObjectValue> input(InboundTrigger trigger, IncomingEvent event) {
    var scope = scope(event.content());
    try {
      if (!mapped.matches(TriggerKind.EVENT, trigger.mapping(), scope)) {
        return Optional.empty();
      }
    } catch (ExpressionException e) {
      log.debug("Event {} does not match '{}'", event.id(), name(trigger), e);
      return Optional.empty();
    }
    try {
      return Optional.of(mapped.input(TriggerKind.EVENT, trigger.mapping(), scope, "data"));
    } catch (ExpressionException e) {
      var failure =
          new ServiceException(
              ErrorCode.INVALID_INPUT, "the mapping of the event fails: " + e.getMessage());
      failure.initCause(e);
      throw failure;
    }
  }

  private static Scope scope(ObjectValue event) {
    return name ->
        switch (name) {
          case "event" -> event;
          case "data" -> event.getOr("data", Value.NULL);
          default -> Value.NULL;
        };
  }

  private Boolean start(InboundTrigger trigger, IncomingEvent event, ObjectValue input) {
    var id = event.content().textOrEmpty("id");
    var known = id.length() > ID_CHARS_MAX ? Tenant.shown(event.id()) : id;
    var metadata = Map.of("trigger", trigger.trigger(), "event", known);
    var run = mapped.run(trigger, "event " + event.id());
    var checked = runs.check(mapped.request(trigger, run, input, metadata));
    return transaction.execute(_ -> {
      boolean first = events.startedBy(event.id(), name(trigger));
      if (first && !rows.hasRun(run)) {
        var _ = runs.start(checked, _ -> {});
      }
      return first;
    });
  }
}
