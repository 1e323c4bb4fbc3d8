package dev.superstep.run.start;

import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.checkpoint.row.FirstRows;
import dev.superstep.database.Pools;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// The one statement that inserts runs: heads, requests, first checkpoints and events. Its text
/// never changes, so that the server keeps its plan, and its parameters are arrays, one per column.
@Component
public class InsertRunsStatement {
  public static final int FIRST_WAKE = 1;

  private static final String SQL =
      """
      with birth as materialized (
        select clock_timestamp() as at, ?::text as owner, ?::bigint as epoch
      ), given as materialized (
        select *
          from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) with ordinality
                 as given (id, graph, version, superstep, events, priority, durability, thread_id,
                           ordinal, parent_run, parent_checkpoint, wakes_at, caller, input,
                           context, limits, breakpoints, metadata, request_hash, traceparent, place)
         where exists (
                 select from birth
                  where owner is null or exists (select from replica where name = owner))
      ), born as (
        insert into run
               (id, graph, version, status, superstep, event_seq, lease_epoch, owner, wake,
                priority, durability, thread_id, ordinal, turn, parent_run, parent_checkpoint,
                wakes_at, caller, created_at, started_at)
        select id, graph, version, case when owner is null then 'queued' else 'running' end,
               superstep, events, epoch, owner, %d, priority, durability, thread_id, ordinal,
               case when thread_id is not null then ordinal end,
               parent_run, parent_checkpoint, wakes_at::timestamptz, caller, at,
               case when owner is not null then at end
          from birth, given
      ), asked as (
        insert into run_input
               (run, input, context, limits, breakpoints, metadata, request_hash, traceparent)
        select id, input, context, limits, breakpoints, metadata::jsonb, request_hash, traceparent
          from given
      ), begun as (
      """
              .formatted(FIRST_WAKE)
          + FirstRows.INSERT
          + ") select place, at from birth, given";

  private final JdbcTemplate jdbc;
  private final JdbcTemplate engineJdbc;
  private final CheckpointWriter checkpoints;

  InsertRunsStatement(
      JdbcTemplate jdbc,
      @Qualifier(Pools.ENGINE) DataSource engineJdbc,
      CheckpointWriter checkpoints) {
    this.jdbc = jdbc;
    this.engineJdbc = new JdbcTemplate(engineJdbc);
    this.checkpoints = checkpoints;
  }

  /// Inserts all or none, and sets the time of each insert that took place. None takes place if the
  /// owner is no member of the cluster.
  ///
  /// @param owner who drives them from the start; empty: they are queued
  void execute(Optional<String> owner, List<RunInsert> runInserts) {
    execute(jdbc, owner, runInserts);
  }

  /// Inserts the runs in the transaction of a driver, the parent's.
  public void executeWithParent(Optional<String> owner, List<RunInsert> runInserts) {
    execute(engineJdbc, owner, runInserts);
  }

  private void execute(JdbcTemplate jdbc, Optional<String> owner, List<RunInsert> runInserts) {
    var firsts = runInserts.stream().map(RunInsert::first).toList();
    var rows = owner.isPresent() ? checkpoints.firstDriven(firsts) : checkpoints.first(firsts);
    jdbc.query(
        SQL,
        statement -> {
          statement.setString(1, owner.orElse(null));
          statement.setLong(2, owner.isPresent() ? LocalClaims.FIRST_EPOCH : 0);
          rows.bind(statement, bind(statement, runInserts));
        },
        (ResultSet found) ->
            runInserts
                .get(found.getInt(1) - 1)
                .tookPlace(found.getObject(2, OffsetDateTime.class).toInstant()));
  }

  /// @return index of the next parameter
  private static int bind(PreparedStatement statement, List<RunInsert> runInserts)
      throws SQLException {
    int at = 3;
    for (var column : new InsertRunsColumns(runInserts).columns()) {
      statement.setObject(at++, column);
    }
    return at;
  }
}
