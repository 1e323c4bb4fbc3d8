package dev.superstep.run.start;

import dev.superstep.checkpoint.row.CheckpointWriter;
import dev.superstep.database.EntityColumns;
import dev.superstep.database.Pools;
import dev.superstep.run.store.RunEntity;
import dev.superstep.run.store.RunInputEntity;
import jakarta.persistence.EntityManagerFactory;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// The one statement that inserts runs: heads, requests, first checkpoints and events. Its text
/// never changes while the process lives, so that the server keeps its plan, and its parameters are
/// arrays, one per column.
@Component
public class InsertRunsStatement {
  public static final int FIRST_WAKE = 1;

  private final JdbcTemplate jdbc;
  private final JdbcTemplate engineJdbc;
  private final CheckpointWriter checkpoints;
  private final String sql;

  InsertRunsStatement(
      JdbcTemplate jdbc,
      @Qualifier(Pools.ENGINE) DataSource engineJdbc,
      EntityManagerFactory entities,
      CheckpointWriter checkpoints) {
    this.jdbc = jdbc;
    this.engineJdbc = new JdbcTemplate(engineJdbc);
    this.checkpoints = checkpoints;
    this.sql = sql(entities, checkpoints);
  }

  private static String sql(EntityManagerFactory entities, CheckpointWriter checkpoints) {
    return """
    with birth as materialized (
      select clock_timestamp() as at, owner,
             case when owner is null then 0 else next_epoch(0) end as epoch,
             every_replica_reads_birth_ids() as birth_ids
        from (values (?::text)) as driver (owner)
    ), given as materialized (
      select given.*,
             case when (select birth_ids from birth) then gen_random_uuid() end as birth_id
        from %s
       where exists (
               select from birth
                where owner is null or exists (select from replica where name = owner))
    ), born as (
      %s
        from birth, given
    ), asked as (
      %s
        from given
    ), begun as (
      %s
    ) select place, at, epoch, birth_id from birth, given
    """
        .formatted(
            InsertRunsColumns.GIVEN,
            EntityColumns.of(entities, RunEntity.class).insertSelect(head()),
            EntityColumns.of(entities, RunInputEntity.class).insertSelect(request()),
            checkpoints.insertFirst());
  }

  private static Map<String, String> head() {
    var values = new HashMap<String, String>();
    Stream.of("checkpoint", "takeovers", "driver_writes", "answers", "elapsed_ms")
        .forEach(it -> values.put(it, "0"));
    Stream.of("released_through", "passed_superstep").forEach(it -> values.put(it, "-1"));
    Stream.of("passed_after", "passed_before", "edited").forEach(it -> values.put(it, "false"));
    Stream.of(
            "queued_at", "cancel_requested_at", "breakpoint", "error", "error_code", "finished_at")
        .forEach(it -> values.put(it, "null"));
    values.put("birth_id", "birth_id");
    values.put("form", "1");
    values.put("status", "case when owner is null then 'queued' else 'running' end");
    values.put("event_seq", "events");
    values.put("lease_epoch", "epoch");
    values.put("owner", "owner");
    values.put("wake", Integer.toString(FIRST_WAKE));
    values.put("wakes_at", "wakes_at::timestamptz");
    values.put("turn", "case when thread_id is not null then ordinal end");
    values.put("created_at", "at");
    values.put("started_at", "case when owner is not null then at end");
    return InsertRunsColumns.head(values);
  }

  private static Map<String, String> request() {
    return InsertRunsColumns.request(
        Map.of("run", "id", "metadata", "metadata::jsonb", "continues", "null"));
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
        sql,
        statement -> {
          statement.setString(1, owner.orElse(null));
          rows.bind(statement, bind(statement, runInserts));
        },
        (ResultSet found) ->
            runInserts
                .get(found.getInt(1) - 1)
                .tookPlace(
                    found.getObject(2, OffsetDateTime.class).toInstant(),
                    found.getLong(3),
                    found.getObject(4, UUID.class)));
  }

  /// @return index of the next parameter
  private static int bind(PreparedStatement statement, List<RunInsert> runInserts)
      throws SQLException {
    int at = 2;
    for (var column : InsertRunsColumns.arrays(runInserts)) {
      statement.setObject(at++, column);
    }
    return at;
  }
}
