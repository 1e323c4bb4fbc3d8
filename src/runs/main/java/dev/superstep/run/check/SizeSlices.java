package dev.superstep.run.check;

import dev.superstep.database.EntityColumns;
import dev.superstep.database.Pools;
import jakarta.persistence.EntityManagerFactory;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;

/// Sums the stored bytes of some runs at a time, in a transaction each. What a run has appended is
/// summed once: one replica counts at a time, and each count begins where the last one has ended.
@Component
class SizeSlices {
  /// Runs that are read in one transaction.
  static final int RUNS = 500;

  /// The call that waits for a count may hold the lock of a run.
  private static final String LOCK_TIME = "set local lock_timeout = '500ms'";

  private static final String LOCK =
      "select pg_advisory_xact_lock(hashtextextended('stored-size', 0) # " + Pools.SCHEMA_KEY + ")";

  /// In order of creation, from a minute before the last one that was counted: a run becomes
  /// visible when its transaction commits, some time after it was created. The others of that
  /// minute are looked up one by one, which no plan may turn into a join over all that are kept.
  private static final String NEW =
      """
      select id from run
       where (created_at, id) > (coalesce(:after::timestamptz,
                                          (select max(created_at) - interval '1 minute'
                                             from stored_size),
                                          '-infinity'), :run)
         and (select known.run from stored_size as known where known.run = run.id) is null
       order by created_at, id limit :runs
      """;

  /// Runs that were counted before and may have grown.
  private static final String OPEN =
      "select run from stored_size where not ended and run > :run order by run limit :runs";

  /// Rows and data that the run has appended since. A number stands for what a row has besides the
  /// columns that are measured, or for the rows of a run.
  private static final String APPENDED =
      """
      case when is_new then %d + (
        select pg_column_size(input) + coalesce(pg_column_size(context), 0)
               + pg_column_size(metadata) + coalesce(pg_column_size(params), 0)
               + coalesce(pg_column_size(continues), 0)
          from run_input where run = id) else 0 end
      + (select coalesce(sum(100 + pg_column_size(content) + pg_column_size(events)
                             + coalesce(pg_column_size(snapshot), 0)), 0)
           from checkpoint
          where run = id and number > changed.checkpoints and number <= changed.checkpoint)
      + (select coalesce(sum(50 + pg_column_size(data)), 0)
           from run_event
          where run = id and seq > changed.events and seq <= changed.event_seq)
      """
          .formatted(StoredSizes.RUN_BYTES);

  private static final String OTHER =
      """
      (select coalesce(sum(100 + pg_column_size(payload) + coalesce(pg_column_size(schema), 0)
                           + coalesce(pg_column_size(default_answer), 0)
                           + coalesce(pg_column_size(answer), 0)
                           + coalesce(pg_column_size(addressees), 0)
                           + coalesce(pg_column_size(candidates), 0)), 0)
         from interrupt where run = id)
      + (select coalesce(sum(50 + pg_column_size(content)), 0)
           from recorded_task where run = id)
      + (select coalesce(sum(100 + coalesce(pg_column_size(content), 0)), 0)
           from task_step where run = id)
      + (select coalesce(sum(50 + pg_column_size(change)), 0)
           from resolution where run = id)
      + (select coalesce(sum(100 + pg_column_size(value)), 0)
           from run_message where run = changed.id)
      + (select coalesce(sum(150 + pg_column_size(content)), 0)
           from cached_result where run = id)
      """;

  private static final Map<String, String> VALUES =
      Map.of(
          "run", "id",
          "caller", "caller",
          "created_at", "created_at",
          "checkpoints", "checkpoint",
          "events", "event_seq",
          "appended", APPENDED,
          "other", OTHER,
          "ended", "ended");

  /// Sums for the runs in `looked`, unless nothing has happened to them since.
  private static final String COUNT =
      """
      with looked (id) as materialized (
        %s
      ), changed as materialized (
        select run.id, run.caller, run.created_at, run.event_seq,
               case when run.status = 'enqueued' then -1 else run.checkpoint end as checkpoint,
               run.status in ('succeeded', 'cancelled') as ended,
               known.run is null as is_new,
               coalesce(known.checkpoints, -1) as checkpoints, coalesce(known.events, 0) as events
          from looked
          join run on run.id = looked.id
          left join stored_size as known on known.run = run.id
         where known.run is null or known.events <> run.event_seq
            or known.checkpoints < run.checkpoint and run.status <> 'enqueued'
            or known.ended <> (run.status in ('succeeded', 'cancelled'))
            or exists (select from run_message as message
                        where message.run = run.id and message.checkpoint is null
                          and message.next_run is null)
      ), counted as (
        %s
          from changed
         order by id
            on conflict (run) do update
           set checkpoints = excluded.checkpoints, events = excluded.events,
               appended = stored_size.appended + excluded.appended, other = excluded.other,
               ended = excluded.ended
      )
      select id, created_at, count(*) over () as runs from run join looked using (id)
       order by %s desc limit 1
      """;

  private final JdbcClient jdbc;
  private final String countNew;
  private final String countOpen;

  SizeSlices(EntityManagerFactory entities, @Qualifier(Pools.SCHEDULER) JdbcClient jdbc) {
    this.jdbc = jdbc;
    var insert = EntityColumns.of(entities, StoredSizeEntity.class).insertSelect(VALUES);
    this.countNew = COUNT.formatted(NEW, insert, "created_at desc, id");
    this.countOpen = COUNT.formatted(OPEN, insert, "id");
  }

  /// The position of a walk.
  ///
  /// @param createdAt null: where the last count has ended
  record SizePosition(@Nullable OffsetDateTime createdAt, String run) {
    static final SizePosition START = new SizePosition(null, "");
  }

  /// Counts new runs behind `after`.
  ///
  /// @return empty if there are no more
  @Transactional(Pools.SCHEDULER)
  Optional<SizePosition> countNew(SizePosition after) {
    return count(jdbc.sql(countNew).param("after", after.createdAt()), after);
  }

  /// Counts runs again that can still change.
  ///
  /// @return empty if there are no more
  @Transactional(Pools.SCHEDULER)
  Optional<SizePosition> countOpen(SizePosition after) {
    return count(jdbc.sql(countOpen), after);
  }

  private Optional<SizePosition> count(JdbcClient.StatementSpec statement, SizePosition after) {
    jdbc.sql(LOCK_TIME).update();
    jdbc.sql(LOCK).query((_, _) -> true).single();
    return statement
        .param("run", after.run())
        .param("runs", RUNS)
        .query((row, _) -> next(row))
        .optional()
        .flatMap(it -> it);
  }

  private static Optional<SizePosition> next(ResultSet row) throws SQLException {
    return row.getInt("runs") < RUNS
        ? Optional.empty()
        : Optional.of(
            new SizePosition(
                row.getObject("created_at", OffsetDateTime.class), row.getString("id")));
  }
}
