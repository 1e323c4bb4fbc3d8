package dev.superstep.run.trigger;

import dev.superstep.definition.RunTiming.Overlap;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunService;
import dev.superstep.run.trigger.PlannedStart.MissReason;
import dev.superstep.run.trigger.PlannedStart.StartStatus;
import dev.superstep.run.trigger.StartPlan.ScheduleLook;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.security.ActingCallers;
import dev.superstep.tenant.Tenant;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Starts the runs of schedules that are due. One replica at a time does it; the row of the
/// schedule, which is locked, says what is due, so that two would do no harm.
///
/// First a transaction decides what becomes of the times that are over. Each run then starts in the
/// transaction in which its time is marked as started: after a crash there is both, or neither. A
/// start that is refused is marked as missed, with the reason.
@Component
class ScheduledStarts {
  private static final Logger log = LoggerFactory.getLogger(ScheduledStarts.class);
  private static final int BATCH = 100;
  private static final int BATCHES_MAX = 100;

  /// Times of a schedule of which it is kept what became of them.
  static final int KEPT = 200;

  /// How many runs of a schedule start before others have their turn.
  private static final int STARTS_PER_LOOK = 10;

  /// How soon it is looked again whether the run before has ended.
  private static final Duration LOOK_MIN = Duration.ofSeconds(1);

  private static final Duration LOOK_MAX = Duration.ofMinutes(1);

  private static final Duration RETRY = Duration.ofSeconds(10);

  /// Metadata of the runs.
  static final String SCHEDULE = "schedule";

  static final String PLANNED_AT = "planned_at";

  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final RunScheduleRows rows;
  private final Map<String, StartForm> forms;
  private final RunService runs;
  private final ActingCallers acting;
  private final DatabaseClock clock;
  private final TransactionOperations transaction;
  private final TriggerMetrics metrics;

  ScheduledStarts(
      RunScheduleRows rows,
      List<StartForm> forms,
      RunService runs,
      ActingCallers acting,
      DatabaseClock clock,
      TransactionOperations transaction,
      TriggerMetrics metrics) {
    this.rows = rows;
    this.forms = forms.stream().collect(Collectors.toMap(StartForm::name, Function.identity()));
    this.runs = runs;
    this.acting = acting;
    this.clock = clock;
    this.transaction = transaction;
    this.metrics = metrics;
  }

  /// Whether a time is late is measured from here on, however long this takes.
  void startDue() {
    var since = clock.instant();
    for (int batch = 0; batch < BATCHES_MAX; batch++) {
      var look = new ScheduleLook(clock.instant(), since);
      var due = rows.due(look.now(), BATCH);
      due.forEach(it -> start(it, look));
      if (due.size() < BATCH) {
        return;
      }
    }
  }

  private void start(String id, ScheduleLook look) {
    try {
      transaction.executeWithoutResult(_ -> plan(id, look));
      boolean goesOn = true;
      for (int i = 0; goesOn && i < STARTS_PER_LOOK; i++) {
        goesOn = startNext(id);
      }
    } catch (RuntimeException e) {
      log.warn("Schedule '{}' is tried again in {}", id, RETRY, e);
      rows.lookAt(id, Optional.of(clock.instant().plus(RETRY)));
    }
  }

  private void plan(String id, ScheduleLook look) {
    if (rows.deleteStale(id)) {
      log.info("Schedule '{}' is deleted: the newest version of its graph does not have it", id);
      return;
    }
    rows.tryLock(id).filter(it -> it.nextAt().isPresent()).ifPresent(it -> plan(it, look));
  }

  private void plan(RunSchedule schedule, ScheduleLook look) {
    var id = schedule.id();
    var plan = StartPlan.of(schedule, look, rows.waiting(id).size());
    if (plan.starts().isEmpty()) {
      return;
    }
    for (var start : plan.starts()) {
      rows.insert(id, start);
      start.reason().ifPresent(it -> metrics.missed());
    }
    rows.trim(id, KEPT);
    rows.advance(id, plan.next(), Optional.of(look.now()));
  }

  /// What can be done for a time that waits.
  private enum StartTurn {
    START,
    /// It is decided, or the schedule has changed: look again.
    NEXT,
    /// Not now.
    LATER
  }

  /// Starts the run that waits longest, if it may start now.
  ///
  /// @return whether there may be another
  private boolean startNext(String id) {
    var waiting = rows.waiting(id);
    var found = rows.find(id);
    if (found.isEmpty()) {
      return false;
    }
    var schedule = found.get();
    if (waiting.isEmpty() || schedule.paused()) {
      return locked(schedule, this::rest) == StartTurn.NEXT;
    }
    var planned = waiting.getFirst();
    if (isHeld(schedule)) {
      return locked(schedule, it -> turn(it, planned, new ArrayList<>())) != StartTurn.LATER;
    }
    try {
      return acting.act(schedule.caller(), () -> start(schedule, planned)) == StartTurn.NEXT;
    } catch (ServiceException e) {
      if (e.code().status().is5xxServerError()) {
        throw e;
      }
      log.info("Schedule '{}' starts no run for {}", id, planned, e);
      var why = new MissReason(e.code().code(), String.valueOf(e.getMessage()));
      return locked(schedule, it -> miss(it, planned, why)) == StartTurn.NEXT;
    }
  }

  /// Whether a look at the request would be in vain.
  private boolean isHeld(RunSchedule schedule) {
    return switch (schedule.timing().overlap()) {
      case ALLOW -> false;
      case SKIP, QUEUE -> !rows.unfinished(schedule.id()).isEmpty();
      case CANCEL_OLD ->
          !rows.unfinished(schedule.id()).isEmpty() && rows.running(schedule.id()).isEmpty();
    };
  }

  private StartTurn start(RunSchedule schedule, Instant planned) {
    var form = Optional.ofNullable(forms.get(schedule.request().form()));
    var start =
        form.orElseThrow(() ->
                new ServiceException(
                    ErrorCode.NOT_SUPPORTED,
                    "this server has no API '%s'".formatted(schedule.request().form())))
            .prepare(
                schedule.request().json(), run(schedule, planned), metadata(schedule, planned));
    var old = new ArrayList<String>();
    var turn = locked(schedule, it -> start(it, planned, start, old));
    old.forEach(this::cancel);
    return turn;
  }

  private StartTurn start(
      RunSchedule schedule, Instant planned, Supplier<String> start, List<String> old) {
    var turn = turn(schedule, planned, old);
    if (turn != StartTurn.START) {
      return turn;
    }
    var now = clock.instant();
    var run = Optional.of(start.get());
    rows.decide(
        schedule.id(), new PlannedStart(planned, StartStatus.STARTED, run, Optional.empty(), now));
    metrics.started(Duration.between(schedule.due(planned), now));
    return StartTurn.NEXT;
  }

  /// They were running when their schedule was locked: what has ended since, has.
  private void cancel(String run) {
    try {
      runs.cancel(run);
    } catch (ServiceException e) {
      log.debug("Run '{}' has ended by itself", run, e);
    }
  }

  private static String run(RunSchedule schedule, Instant planned) {
    return schedule.id() + "." + TIME.format(planned);
  }

  private static Map<String, String> metadata(RunSchedule schedule, Instant planned) {
    return Map.of(SCHEDULE, Tenant.shown(schedule.id()), PLANNED_AT, planned.toString());
  }

  /// Does something with a schedule that is as it was when it was read.
  private StartTurn locked(RunSchedule read, Function<RunSchedule, StartTurn> work) {
    return Objects.requireNonNull(
        transaction.execute(_ -> {
          var locked = rows.tryLock(read.id());
          if (locked.isEmpty()) {
            return StartTurn.LATER;
          }
          return locked.get().equals(read) ? work.apply(read) : StartTurn.NEXT;
        }));
  }

  private StartTurn rest(RunSchedule schedule) {
    var waiting = rows.waiting(schedule.id());
    if (!schedule.paused() && !waiting.isEmpty()) {
      return StartTurn.NEXT;
    }
    for (var planned : waiting) {
      miss(schedule, planned, new MissReason(MissReason.PAUSED, "the schedule was paused"));
    }
    rows.lookAt(schedule.id(), schedule.nextAt().map(schedule::due));
    return StartTurn.LATER;
  }

  /// The schedule is locked.
  ///
  /// @param old receives the runs that are to be cancelled
  private StartTurn turn(RunSchedule schedule, Instant planned, List<String> old) {
    var waiting = rows.waiting(schedule.id());
    if (waiting.isEmpty() || !waiting.getFirst().equals(planned)) {
      return StartTurn.NEXT;
    }
    var overlap = schedule.timing().overlap();
    if (overlap == Overlap.CANCEL_OLD && waiting.size() > 1) {
      return miss(schedule, planned, overlap("the run of the next time takes its place"));
    }
    if (overlap == Overlap.ALLOW || rows.unfinished(schedule.id()).isEmpty()) {
      return StartTurn.START;
    }
    if (overlap == Overlap.SKIP) {
      return miss(schedule, planned, overlap("a run of before has not ended"));
    }
    var now = clock.instant();
    if (overlap == Overlap.CANCEL_OLD) {
      old.addAll(rows.running(schedule.id()));
      rows.lookAt(schedule.id(), Optional.of(now.plus(LOOK_MIN)));
    } else {
      rows.lookAt(schedule.id(), Optional.of(lookAgain(planned, now)));
    }
    return StartTurn.LATER;
  }

  /// The longer it has waited, the later.
  private static Instant lookAgain(Instant planned, Instant now) {
    var pause = Duration.between(planned, now).dividedBy(10);
    return now.plus(
        pause.compareTo(LOOK_MIN) < 0
            ? LOOK_MIN
            : pause.compareTo(LOOK_MAX) > 0 ? LOOK_MAX : pause);
  }

  private static MissReason overlap(String detail) {
    return new MissReason(MissReason.OVERLAP, detail);
  }

  private StartTurn miss(RunSchedule schedule, Instant planned, MissReason why) {
    rows.decide(schedule.id(), PlannedStart.missed(planned, clock.instant(), why));
    metrics.missed();
    return StartTurn.NEXT;
  }
}
