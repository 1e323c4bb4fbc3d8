package dev.superstep.run.trigger;

import dev.superstep.database.Pools;
import dev.superstep.definition.CronTimes;
import dev.superstep.definition.RunTiming;
import dev.superstep.definition.RunTiming.CatchUp;
import dev.superstep.definition.RunTiming.Overlap;
import dev.superstep.run.trigger.PlannedStart.MissReason;
import dev.superstep.run.trigger.PlannedStart.StartStatus;
import dev.superstep.run.trigger.RunSchedule.ChangeTimes;
import dev.superstep.run.trigger.RunSchedule.StartRequest;
import dev.superstep.tenant.Tenant;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/// The tables of schedules.
@Repository
class RunScheduleRows {
  private static final String SELECT =
      """
      select id, graph, trigger, cron, zone, jitter_ms, overlap, catch_up, form, request, caller,
             credential, reach_all, reach_own, paused, ends_at, created_at, changed_at, next_at
        from run_schedule
      """;

  private static final String UNFINISHED =
      """
      exists (select from run
               where run.id = run_schedule_start.run
                 and run.status not in ('succeeded', 'failed', 'cancelled'))
      """;

  private final JdbcClient jdbc;

  RunScheduleRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// Those of a tenant are made one after the other, so that no more are than may be.
  ///
  /// @return whether there was room for it
  boolean insert(RunSchedule schedule, int max) {
    var tenant = Tenant.of(schedule.id()).name();
    var _ =
        jdbc.sql(
                "select 1 from pg_advisory_xact_lock(hashtextextended(:key, 0) # "
                    + Pools.SCHEMA_KEY
                    + ")")
            .param("key", "schedules " + tenant)
            .query(Integer.class)
            .single();
    return written(
                """
                insert into run_schedule
                       (id, graph, trigger, cron, zone, jitter_ms, overlap, catch_up, form, request,
                        caller, credential, reach_all, reach_own, paused, ends_at, created_at,
                        changed_at, next_at, due_at)
                select :id, :graph, :trigger, :cron, :zone, :jitter, :overlap, :catchUp, :form, :request,
                       :caller, :credential, :reachAll, :reachOwn, :paused, :endsAt, :createdAt,
                       :createdAt, :nextAt, :dueAt
                 where (select count(*) from run_schedule where tenant_of(id) = :tenant) < :max
                """,
                schedule)
            .param("createdAt", offset(schedule.written().createdAt()))
            .param(
                "dueAt",
                offset(schedule.nextAt().map(schedule::due)),
                Types.TIMESTAMP_WITH_TIMEZONE)
            .param("tenant", tenant)
            .param("max", max)
            .update()
        == 1;
  }

  void update(RunSchedule schedule, Instant now) {
    int _ =
        written(
                """
                update run_schedule
                   set graph = :graph, trigger = :trigger, cron = :cron, zone = :zone,
                       jitter_ms = :jitter, overlap = :overlap, catch_up = :catchUp, form = :form,
                       request = :request, caller = :caller, credential = :credential,
                       reach_all = :reachAll, reach_own = :reachOwn, paused = :paused,
                       ends_at = :endsAt, changed_at = :now, next_at = :nextAt, due_at = :now
                 where id = :id
                """,
                schedule)
            .param("now", offset(now))
            .update();
  }

  private JdbcClient.StatementSpec written(String sql, RunSchedule schedule) {
    var timing = schedule.timing();
    return CallerColumns.with(jdbc.sql(sql), schedule.caller())
        .param("id", schedule.id())
        .param("graph", schedule.graph())
        .param("trigger", schedule.trigger().orElse(null), Types.VARCHAR)
        .param("cron", timing.times().text())
        .param("zone", timing.times().zone().getId())
        .param("jitter", timing.jitter().toMillis())
        .param("overlap", timing.overlap().text())
        .param("catchUp", timing.catchUp().text())
        .param("form", schedule.request().form())
        .param("request", schedule.request().json())
        .param("paused", schedule.paused())
        .param("endsAt", offset(schedule.endsAt()), Types.TIMESTAMP_WITH_TIMEZONE)
        .param("nextAt", offset(schedule.nextAt()), Types.TIMESTAMP_WITH_TIMEZONE);
  }

  boolean delete(String id) {
    return jdbc.sql("delete from run_schedule where id = :id").param("id", id).update() == 1;
  }

  /// The version of the graph that declares its schedules.
  void declaredBy(String graph, int version) {
    int _ =
        jdbc.sql(
                """
                update run_schedule set version = :version
                 where graph = :graph and trigger is not null
                """)
            .param("graph", graph)
            .param("version", version)
            .update();
  }

  /// Deletes it if a version declares it that is not the newest: another was posted by a replica of
  /// a release that has no schedules.
  boolean deleteStale(String id) {
    return jdbc.sql(
                """
                delete from run_schedule
                 where id = :id and trigger is not null
                   and not exists (select from graph
                                    where name = run_schedule.graph
                                      and newest = run_schedule.version and newest > hidden_through)
                """)
            .param("id", id)
            .update()
        == 1;
  }

  void deleteDeclared(String graph) {
    int _ =
        jdbc.sql("delete from run_schedule where graph = :graph and trigger is not null")
            .param("graph", graph)
            .update();
  }

  Optional<RunSchedule> find(String id) {
    return one(SELECT + " where id = :id", id);
  }

  /// Locks it until the transaction ends.
  Optional<RunSchedule> lock(String id) {
    return one(SELECT + " where id = :id for update", id);
  }

  /// Locks it until the transaction ends, unless another has locked it.
  Optional<RunSchedule> tryLock(String id) {
    return one(SELECT + " where id = :id for update skip locked", id);
  }

  private Optional<RunSchedule> one(String sql, String id) {
    return jdbc.sql(sql).param("id", id).query((row, _) -> schedule(row)).optional();
  }

  /// All of a tenant whose request is written in one API, by id.
  List<RunSchedule> all(Tenant tenant, String form) {
    return jdbc.sql(SELECT + " where tenant_of(id) = :tenant and form = :form order by id")
        .param("tenant", tenant.name())
        .param("form", form)
        .query((row, _) -> schedule(row))
        .list();
  }

  /// Some of a tenant, by id.
  ///
  /// @param graph whose runs they start; empty: any
  /// @param behind the id behind which they begin; empty: with the first
  List<RunSchedule> page(Tenant tenant, Optional<String> graph, String behind, int limit) {
    return jdbc.sql(
            SELECT
                + """
                 where tenant_of(id) = :tenant and id > :behind
                   and (:graph::text is null or graph = :graph)
                 order by id limit :limit
                """)
        .param("tenant", tenant.name())
        .param("behind", behind)
        .param("graph", graph.orElse(null), Types.VARCHAR)
        .param("limit", limit)
        .query((row, _) -> schedule(row))
        .list();
  }

  /// Those that the definition of a graph declares; locks them until the transaction ends.
  List<RunSchedule> lockDeclared(String graph) {
    return jdbc.sql(SELECT + " where graph = :graph and trigger is not null order by id for update")
        .param("graph", graph)
        .query((row, _) -> schedule(row))
        .list();
  }

  /// Those that are to be looked at: tenants take turns, each with the one that is due longest.
  List<String> due(Instant now, int max) {
    return jdbc.sql(
            """
            select id from (
              select id, due_at,
                     row_number() over (partition by tenant_of(id) order by due_at, id) as turn
                from run_schedule where due_at <= :now) as turns
             order by turn, due_at limit :max
            """)
        .param("now", offset(now))
        .param("max", max)
        .query((row, _) -> row.getString(1))
        .list();
  }

  void lookAt(String id, Optional<Instant> due) {
    int _ =
        jdbc.sql("update run_schedule set due_at = :due where id = :id")
            .param("due", offset(due), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("id", id)
            .update();
  }

  void advance(String id, Optional<Instant> next, Optional<Instant> due) {
    int _ =
        jdbc.sql("update run_schedule set next_at = :next, due_at = :due where id = :id")
            .param("next", offset(next), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("due", offset(due), Types.TIMESTAMP_WITH_TIMEZONE)
            .param("id", id)
            .update();
  }

  /// A time on which something was decided before stays as it is.
  void insert(String schedule, PlannedStart start) {
    int _ =
        jdbc.sql(
                """
                insert into run_schedule_start
                       (schedule, planned_at, status, run, reason, detail, decided_at)
                values (:schedule, :plannedAt, :status, :run, :reason, :detail, :decidedAt)
                    on conflict do nothing
                """)
            .param("schedule", schedule)
            .param("plannedAt", offset(start.plannedAt()))
            .param("status", start.status().text())
            .param("run", start.run().orElse(null), Types.VARCHAR)
            .param("reason", start.reason().map(MissReason::why).orElse(null), Types.VARCHAR)
            .param("detail", start.reason().map(MissReason::detail).orElse(null), Types.VARCHAR)
            .param("decidedAt", offset(start.decidedAt()))
            .update();
  }

  /// Does nothing unless it waits.
  void decide(String schedule, PlannedStart start) {
    int _ =
        jdbc.sql(
                """
                update run_schedule_start
                   set status = :status, run = :run, reason = :reason, detail = :detail,
                       decided_at = :decidedAt
                 where schedule = :schedule and planned_at = :plannedAt and status = 'waiting'
                """)
            .param("schedule", schedule)
            .param("plannedAt", offset(start.plannedAt()))
            .param("status", start.status().text())
            .param("run", start.run().orElse(null), Types.VARCHAR)
            .param("reason", start.reason().map(MissReason::why).orElse(null), Types.VARCHAR)
            .param("detail", start.reason().map(MissReason::detail).orElse(null), Types.VARCHAR)
            .param("decidedAt", offset(start.decidedAt()))
            .update();
  }

  /// The times for which a run is to start, in their order.
  List<Instant> waiting(String schedule) {
    return jdbc.sql(
            """
            select planned_at from run_schedule_start
             where schedule = :schedule and status = 'waiting'
             order by planned_at
            """)
        .param("schedule", schedule)
        .query((row, _) -> instant(row, "planned_at").orElseThrow())
        .list();
  }

  /// Its runs that have not ended.
  List<String> unfinished(String schedule) {
    return jdbc.sql(
            """
            select run from run_schedule_start
             where schedule = :schedule and run is not null and
            """
                + UNFINISHED)
        .param("schedule", schedule)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// Its runs that have not ended, and are not about to.
  List<String> running(String schedule) {
    return jdbc.sql(
            """
            select start.run from run_schedule_start start join run on run.id = start.run
             where start.schedule = :schedule
               and run.status not in ('succeeded', 'failed', 'cancelled', 'cancelling')
            """)
        .param("schedule", schedule)
        .query((row, _) -> row.getString(1))
        .list();
  }

  /// What became of its last times, newest first.
  List<PlannedStart> starts(String schedule, int max) {
    return jdbc.sql(
            """
            select planned_at, status, run, reason, detail, decided_at from run_schedule_start
             where schedule = :schedule
             order by planned_at desc limit :max
            """)
        .param("schedule", schedule)
        .param("max", max)
        .query((row, _) -> start(row))
        .list();
  }

  /// Keeps the last ones, and those whose run has not ended.
  void trim(String schedule, int max) {
    int _ =
        jdbc.sql(
                """
                delete from run_schedule_start
                 where schedule = :schedule and status <> 'waiting'
                   and planned_at < (select planned_at from run_schedule_start
                                      where schedule = :schedule
                                      order by planned_at desc offset :max limit 1)
                   and not
                """
                    + UNFINISHED)
            .param("schedule", schedule)
            .param("max", max)
            .update();
  }

  private static PlannedStart start(ResultSet row) throws SQLException {
    return new PlannedStart(
        instant(row, "planned_at").orElseThrow(),
        StartStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
        Optional.ofNullable(row.getString("run")),
        missReason(row.getString("reason"), row.getString("detail")),
        instant(row, "decided_at").orElseThrow());
  }

  private static Optional<MissReason> missReason(@Nullable String why, @Nullable String detail) {
    return why == null || detail == null
        ? Optional.empty()
        : Optional.of(new MissReason(why, detail));
  }

  private static RunSchedule schedule(ResultSet row) throws SQLException {
    return new RunSchedule(
        row.getString("id"),
        row.getString("graph"),
        Optional.ofNullable(row.getString("trigger")),
        timing(row),
        new StartRequest(row.getString("form"), row.getString("request")),
        CallerColumns.caller(row, Tenant.of(row.getString("id"))),
        row.getBoolean("paused"),
        instant(row, "ends_at"),
        new ChangeTimes(
            instant(row, "created_at").orElseThrow(), instant(row, "changed_at").orElseThrow()),
        instant(row, "next_at"));
  }

  private static RunTiming timing(ResultSet row) throws SQLException {
    return new RunTiming(
        CronTimes.of(row.getString("cron"), ZoneId.of(row.getString("zone"))),
        Duration.ofMillis(row.getLong("jitter_ms")),
        Overlap.find(row.getString("overlap")).orElseThrow(),
        CatchUp.find(row.getString("catch_up")).orElseThrow());
  }

  private static Optional<Instant> instant(ResultSet row, String column) throws SQLException {
    return Optional.ofNullable(row.getObject(column, OffsetDateTime.class))
        .map(OffsetDateTime::toInstant);
  }

  private static OffsetDateTime offset(Instant instant) {
    return instant.atOffset(ZoneOffset.UTC);
  }

  private static @Nullable OffsetDateTime offset(Optional<Instant> instant) {
    return instant.map(RunScheduleRows::offset).orElse(null);
  }
}
