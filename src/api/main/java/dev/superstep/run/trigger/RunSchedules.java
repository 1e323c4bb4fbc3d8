package dev.superstep.run.trigger;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.context.Glob;
import dev.superstep.definition.CronTimes;
import dev.superstep.definition.RunTiming;
import dev.superstep.graph.Pointer;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.trigger.RunSchedule.ChangeTimes;
import dev.superstep.run.trigger.RunSchedule.StartRequest;
import dev.superstep.schedule.DatabaseClock;
import dev.superstep.security.ActingCallers;
import dev.superstep.tenant.Reach;
import dev.superstep.tenant.Tenant;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.stereotype.Service;

/// Makes, changes and deletes schedules, for the caller of the request.
@Service
public class RunSchedules {
  /// Rows of a statement, however short a page is: the caller may not reach some.
  private static final int PART = 500;

  /// So that a planned time fits behind it in the id of a run. Those that definitions declare have
  /// a dot.
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,99}");

  /// Times of an expression of which the shortest distance is looked at.
  private static final int LOOKS = 60;

  private static final int REQUEST_BYTES_MAX = 16_384;
  private static final int NEXT = 5;
  private static final int STARTS = 20;

  private final RunScheduleRows rows;
  private final TriggerSettings settings;
  private final ActingCallers callers;
  private final DatabaseClock clock;
  private final AuditLog audit;

  RunSchedules(
      RunScheduleRows rows,
      TriggerSettings settings,
      ActingCallers callers,
      DatabaseClock clock,
      AuditLog audit) {
    this.rows = rows;
    this.settings = settings;
    this.callers = callers;
    this.clock = clock;
    this.audit = audit;
  }

  /// A schedule to make.
  ///
  /// @param id as rows have it; empty: one is generated
  /// @param graph of the request, as rows have it
  public record NewSchedule(
      Optional<String> id,
      String graph,
      RunTiming timing,
      StartRequest request,
      boolean paused,
      Optional<Instant> endsAt) {}

  /// @return its id, as rows have it
  /// @throws ServiceException `schedule_exists`, `limit_exceeded`, `invalid_value`
  public String create(NewSchedule wanted) {
    var id = wanted.id().orElseGet(() -> Tenant.current().own(UUID.randomUUID().toString()));
    if (!ID.matcher(Tenant.shown(id)).matches()) {
      throw ServiceException.at(
          "/id",
          ErrorCode.INVALID_VALUE,
          "must have 1 to 100 letters, digits, '_' and '-', and begin with a letter or digit");
    }
    return audit.recorded(
        AuditAction.SCHEDULE_CREATE, () -> insert(id, wanted, Optional.empty()), it -> it);
  }

  private String insert(String id, NewSchedule wanted, Optional<String> trigger) {
    var now = clock.instant();
    check(wanted.timing(), wanted.request(), now, trigger.map(RunSchedules::pointer).orElse(""));
    var schedule =
        new RunSchedule(
                id,
                wanted.graph(),
                trigger,
                wanted.timing(),
                wanted.request(),
                callers.current(),
                wanted.paused(),
                wanted.endsAt(),
                new ChangeTimes(now, now),
                Optional.empty())
            .replanned(now);
    try {
      if (!rows.insert(schedule, settings.max())) {
        throw new ServiceException(
            ErrorCode.LIMIT_EXCEEDED,
            "there are %d schedules, which is all that there may be (superstep.schedules.max)"
                .formatted(settings.max()));
      }
    } catch (DuplicateKeyException e) {
      var failure =
          new ServiceException(
              ErrorCode.SCHEDULE_EXISTS,
              "there is a schedule '%s'; change it, or choose another id".formatted(id));
      failure.initCause(e);
      throw failure;
    }
    return id;
  }

  /// @param at where they stand in what the caller has sent
  private void check(RunTiming timing, StartRequest request, Instant now, String at) {
    var shortest = timing.times().shortest(now, LOOKS).orElse(RunTiming.JITTER_MAX);
    if (shortest.compareTo(settings.intervalMin()) < 0) {
      throw ServiceException.at(
          at + "/cron",
          ErrorCode.LIMIT_EXCEEDED,
          "has times that are %ds apart; at least %ds must lie between (superstep.schedules.interval-min)"
              .formatted(shortest.toSeconds(), settings.intervalMin().toSeconds()));
    }
    if (timing.jitter().compareTo(RunTiming.JITTER_MAX) > 0
        || timing.jitter().compareTo(shortest) >= 0) {
      throw ServiceException.at(
          at + "/jitter",
          ErrorCode.INVALID_VALUE,
          "must be shorter than what lies between two times (%ds), and at most 24h"
              .formatted(shortest.toSeconds()));
    }
    int bytes = request.json().getBytes(StandardCharsets.UTF_8).length;
    if (bytes > REQUEST_BYTES_MAX) {
      throw ServiceException.at(
          at + "/run",
          ErrorCode.LIMIT_EXCEEDED,
          "has %d bytes; a schedule keeps at most %d".formatted(bytes, REQUEST_BYTES_MAX));
    }
  }

  /// Times, as requests write them.
  ///
  /// @throws ServiceException naming the field that is wrong
  public static CronTimes times(String cron, String zone) {
    var id = read("/zone", () -> CronTimes.zone(zone));
    return read("/cron", () -> CronTimes.of(cron, id));
  }

  private static <T> T read(String pointer, Supplier<T> reading) {
    try {
      return reading.get();
    } catch (IllegalArgumentException e) {
      var failure =
          ServiceException.at(pointer, ErrorCode.INVALID_VALUE, String.valueOf(e.getMessage()));
      failure.initCause(e);
      throw failure;
    }
  }

  /// Those that the caller may see and whose request is written in one API, by id.
  public List<RunSchedule> all(String form) {
    return rows.all(Tenant.current(), form).stream().filter(RunSchedules::isReached).toList();
  }

  /// Some of those that the caller may see, by id.
  ///
  /// @param graph whose runs they start, as rows have it; empty: any
  /// @param behind the id behind which they begin; empty: with the first
  public List<RunSchedule> page(Optional<String> graph, Optional<String> behind, int limit) {
    var found = new ArrayList<RunSchedule>();
    var last = behind.orElse("");
    List<RunSchedule> part;
    do {
      part = rows.page(Tenant.current(), graph, last, PART);
      part.stream().filter(RunSchedules::isReached).forEach(found::add);
      last = part.isEmpty() ? last : part.getLast().id();
    } while (part.size() == PART && found.size() < limit);
    return found.subList(0, Math.min(limit, found.size()));
  }

  /// @throws ServiceException `schedule_not_found`
  public RunSchedule get(String id) {
    return rows.find(id).filter(RunSchedules::isReached).orElseThrow(() -> notFound(id));
  }

  private static ServiceException notFound(String id) {
    return new ServiceException(
        ErrorCode.SCHEDULE_NOT_FOUND, "there is no schedule '%s'".formatted(id));
  }

  /// What became of its last times, newest first.
  public List<PlannedStart> starts(RunSchedule schedule) {
    return rows.starts(schedule.id(), STARTS);
  }

  /// Its next times, without jitter.
  public static List<Instant> next(RunSchedule schedule) {
    return schedule.nextAt().stream()
        .flatMap(first ->
            Stream.iterate(
                    Optional.of(first), Optional::isPresent, it -> it.flatMap(schedule::next))
                .limit(NEXT)
                .flatMap(Optional::stream))
        .toList();
  }

  /// Changes a schedule. Whoever gives another request is the one for whom runs start from then on.
  ///
  /// @param change of what is stored
  /// @throws ServiceException `schedule_not_found`, `conflict` if the definition of a graph
  ///   declares it, and more is changed than whether it is paused
  public void update(String id, UnaryOperator<RunSchedule> change) {
    audit.recorded(
        AuditAction.SCHEDULE_UPDATE,
        id,
        () -> {
          var before = lock(id);
          var now = clock.instant();
          var changed = change.apply(before);
          if (before.trigger().isPresent()
              && !changed.equals(before.withPaused(changed.paused()))) {
            throw declared(before);
          }
          boolean asked = !changed.request().equals(before.request());
          if (asked || !changed.timing().equals(before.timing())) {
            check(changed.timing(), changed.request(), now, "");
          }
          if (asked) {
            changed = changed.withCaller(callers.current());
          }
          store(before, changed, now);
        });
  }

  private static String pointer(String trigger) {
    return Pointer.child(Pointer.child("", "triggers"), trigger) + "/schedule";
  }

  /// Where the times become others, those that are over are decided on as they were.
  private void store(RunSchedule before, RunSchedule changed, Instant now) {
    if (changed.isTimedAs(before)) {
      rows.update(changed, now);
      return;
    }
    if (before.nextAt().isPresent()) {
      StartPlan.whole(before, now, rows.waiting(before.id()).size())
          .starts()
          .forEach(it -> rows.insert(before.id(), it));
    }
    rows.update(changed.replanned(now), now);
  }

  private RunSchedule lock(String id) {
    return rows.lock(id).filter(RunSchedules::isReached).orElseThrow(() -> notFound(id));
  }

  private static ServiceException declared(RunSchedule schedule) {
    return new ServiceException(
        ErrorCode.CONFLICT,
        "the definition of graph '%s' has this schedule, which can be paused here; for more, post the graph"
            .formatted(schedule.graph()));
  }

  /// Runs that it has started go on.
  ///
  /// @throws ServiceException `schedule_not_found`, `conflict` if the definition of a graph
  ///   declares it
  public void delete(String id) {
    audit.recorded(
        AuditAction.SCHEDULE_DELETE,
        id,
        () -> {
          var schedule = lock(id);
          if (schedule.trigger().isPresent()) {
            throw declared(schedule);
          }
          rows.delete(id);
        });
  }

  /// Has the definition of a graph declare these schedules, and no others, for the caller. One that
  /// was there is paused if it was, and keeps its times unless they are others.
  ///
  /// @param wanted by the names of the triggers
  void declare(String graph, int version, Map<String, NewSchedule> wanted) {
    var before = new HashMap<String, RunSchedule>();
    rows.lockDeclared(graph).forEach(it -> before.put(it.trigger().orElseThrow(), it));
    var now = clock.instant();
    wanted.forEach((trigger, it) -> {
      var known = before.remove(trigger);
      if (known == null) {
        insert(it.id().orElseThrow(), it, Optional.of(trigger));
        return;
      }
      check(it.timing(), it.request(), now, pointer(trigger));
      var changed =
          known
              .withRequest(graph, it.request())
              .withTiming(it.timing(), it.endsAt())
              .withCaller(callers.current());
      store(known, changed, now);
    });
    before.values().forEach(it -> rows.delete(it.id()));
    if (!wanted.isEmpty()) {
      rows.declaredBy(graph, version);
    }
  }

  /// The graph is deleted, and what its definition declares with it.
  void deleteDeclared(String graph) {
    rows.deleteDeclared(graph);
  }

  private static boolean isReached(RunSchedule schedule) {
    return isReached(schedule.graph(), schedule.caller().id());
  }

  /// Whether the caller reaches what somebody else, or it, has set up for a graph.
  static boolean isReached(String graph, String caller) {
    return Reach.current()
        .filter(
            it -> !has(it.all(), graph) && !(has(it.own(), graph) && caller.equals(it.caller())))
        .isEmpty();
  }

  private static boolean has(List<Glob> graphs, String graph) {
    return graphs.stream().anyMatch(it -> it.matches(graph));
  }
}
