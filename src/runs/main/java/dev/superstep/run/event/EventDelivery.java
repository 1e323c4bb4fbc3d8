package dev.superstep.run.event;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.superstep.checkpoint.event.IncomingEvents;
import dev.superstep.checkpoint.event.IncomingEvents.IncomingEvent;
import dev.superstep.checkpoint.event.IncomingEvents.WaitingTask;
import dev.superstep.checkpoint.work.KeptEvents;
import dev.superstep.engine.run.WorkerEnd;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Condition;
import dev.superstep.graph.ExpressionException;
import dev.superstep.node.EventCondition;
import dev.superstep.run.work.ExpectedEnds;
import dev.superstep.run.work.ExpectedEnds.ExpectingTask;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.schedule.ReplicaPoll;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/// Brings events and those who wait for them together (E50). An event is stored before it looks for
/// tasks that wait, and a task before it looks for events that are kept: whichever is later finds
/// the other. What a replica that died has left undone another one does; that a run takes an event
/// once is a row of its own.
@Component
class EventDelivery implements KeptEvents, ReplicaPoll {
  private static final Logger log = LoggerFactory.getLogger(EventDelivery.class);

  private static final int PAGE = 100;

  /// Kept events have contents.
  private static final int KEPT_PAGE = 16;

  /// Conditions that are kept compiled.
  private static final int CONDITIONS_MAX = 1_000;

  /// Deliveries of a replica at a time, of what has just come and of what was left behind.
  private static final int AT_A_TIME = 16;

  /// Events that are tried again later.
  private static final int POSTPONED_MAX = 1_000;

  private static final Duration PAUSE = Duration.ofSeconds(1);
  private static final Duration POSTPONED_FOR_MAX = Duration.ofMinutes(1);

  /// For so long an event is tried that some task could not take.
  private static final Duration TRIED_MAX = Duration.ofMinutes(10);

  private static final Condition NEVER = _ -> false;

  private final IncomingEvents events;
  private final ExpectedEnds ends;
  private final Expressions expressions;
  private final DatabaseClock clock;
  private final DeliveryTurns turns = new DeliveryTurns(AT_A_TIME, AT_A_TIME);

  /// Of its own, so that what was left behind has its turn: one delivery of each tenant.
  private final DeliveryTurns leftovers = new DeliveryTurns(AT_A_TIME, 1);

  /// That some task could not take, until when.
  private final Cache<String, Instant> postponed =
      Caffeine.newBuilder().maximumSize(POSTPONED_MAX).build();

  private final Cache<String, Condition> conditions =
      Caffeine.newBuilder().maximumSize(CONDITIONS_MAX).build();

  EventDelivery(
      IncomingEvents events, ExpectedEnds ends, Expressions expressions, DatabaseClock clock) {
    this.clock = clock;
    this.events = events;
    this.ends = ends;
    this.expressions = expressions;
  }

  /// What there is no room for now is left behind, for whoever looks for that first.
  ///
  /// @param stored ids of events of a tenant that are on disk
  void deliverSoon(List<String> stored) {
    deliverSoon(stored, turns);
  }

  private void deliverSoon(List<String> stored, DeliveryTurns bound) {
    if (stored.isEmpty()) {
      return;
    }
    var tenant = Tenant.of(stored.getFirst());
    if (bound.begin(tenant)) {
      Thread.ofVirtual()
          .name("events")
          .start(() -> {
            try {
              stored.forEach(this::deliverNow);
            } finally {
              bound.end(tenant);
            }
          });
    }
  }

  private void deliverNow(String id) {
    try {
      events.find(id).ifPresent(this::deliver);
    } catch (RuntimeException e) {
      log.warn("Event {} is delivered again", id, e);
    }
  }

  private void deliver(IncomingEvent event) {
    var type = EventCondition.taskType(event.type());
    var behind = "";
    boolean whole = true;
    List<WaitingTask> page;
    do {
      page = events.waiting(event.tenant(), type, behind, PAGE);
      for (var task : page) {
        whole &= isDelivered(task, event);
        behind = task.id();
      }
    } while (page.size() == PAGE);
    var now = clock.instant();
    if (whole || event.receivedAt().isBefore(now.minus(TRIED_MAX))) {
      events.delivered(event.id());
      postponed.invalidate(event.id());
    } else {
      postponed.put(event.id(), now.plus(pauseAfter(Duration.between(event.receivedAt(), now))));
    }
  }

  /// As long again as it was tried, so that one task does not have all others looked at each time.
  private static Duration pauseAfter(Duration tried) {
    return tried.compareTo(POSTPONED_FOR_MAX) < 0 ? tried : POSTPONED_FOR_MAX;
  }

  /// A task that the database refuses must not keep the others waiting.
  private boolean isDelivered(WaitingTask task, IncomingEvent event) {
    try {
      var _ = matches(task, event) && take(task, event);
      return true;
    } catch (RuntimeException e) {
      log.warn("Event {} is delivered to task {} again", event.id(), task.id(), e);
      return false;
    }
  }

  @Override
  public void deliverTo(String task) {
    var waiting = events.waiting(task);
    if (waiting.isEmpty()) {
      return;
    }
    var type = EventCondition.eventType(waiting.get().type());
    Optional<IncomingEvent> behind = Optional.empty();
    List<IncomingEvent> page;
    do {
      page = events.kept(Tenant.of(task), type, behind, KEPT_PAGE);
      for (var event : page) {
        if (matches(waiting.get(), event) && take(waiting.get(), event)) {
          return;
        }
        behind = Optional.of(event);
      }
    } while (page.size() == KEPT_PAGE);
  }

  @Override
  public void deliverLateTo(String task) {
    var waiting = events.waiting(task).filter(it -> EventCondition.isEvent(it.type()));
    if (waiting.isPresent()) {
      var type = EventCondition.eventType(waiting.get().type());
      for (var event : events.missed(waiting.get(), type)) {
        if (matches(waiting.get(), event) && take(waiting.get(), event)) {
          return;
        }
      }
    }
  }

  /// @return whether the task waits no longer
  private boolean take(WaitingTask task, IncomingEvent event) {
    return ends.end(
        new ExpectingTask(task.run(), task.task(), task.id()),
        new WorkerEnd.Returned(event.content()),
        Optional.of(event.receivedAt()),
        () -> events.take(task, event.id()));
  }

  /// A condition that fails on an event does not match it.
  private boolean matches(WaitingTask task, IncomingEvent event) {
    var condition = new EventCondition(task.payload());
    if (condition.source().isEmpty()) {
      return true;
    }
    try {
      return conditions
          .get(condition.source(), this::compiled)
          .test(condition.scope(event.content()));
    } catch (ExpressionException e) {
      log.debug("Event {} does not match what {} waits for", event.id(), task.id(), e);
      return false;
    }
  }

  /// One that a release to come has stored may have functions that this one lacks.
  private Condition compiled(String source) {
    try {
      return expressions.compileCondition(source);
    } catch (InvalidExpressionException e) {
      log.warn("A condition on events cannot be read by this release: {}", source, e);
      return NEVER;
    }
  }

  @Override
  public Duration pause() {
    return PAUSE;
  }

  /// What was left undone.
  @Override
  public void poll(String replica) {
    var now = clock.instant();
    postponed.asMap().values().removeIf(it -> it.isBefore(now));
    var left = events.undelivered(PAUSE, Set.copyOf(postponed.asMap().keySet()), PAGE);
    left.stream()
        .collect(Collectors.groupingBy(Tenant::of, LinkedHashMap::new, Collectors.toList()))
        .values()
        .forEach(it -> deliverSoon(it, leftovers));
  }
}
