package dev.superstep.checkpoint.commit;

import dev.superstep.checkpoint.row.CheckpointArrays;
import dev.superstep.checkpoint.row.EncodedCheckpoint;
import dev.superstep.database.Pools;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import jakarta.persistence.EntityManagerFactory;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// Writes one plain commit in one statement, for a run without a batch: the fenced update of the
/// head and, if it found the run in the state that the driver expects, the checkpoint. It is its
/// own transaction.
@Component
public class StepStatement {
  private static final String UPDATE =
      """
      with head as (
        update run
           set checkpoint = ?,
               superstep = ?,
               status = ?,
               owner = case when ? then owner end,
               event_seq = event_seq + ?,
               driver_writes = driver_writes + 1,
               takeovers = 0,
               wakes_at = null,
               elapsed_ms = ?,
               passed_superstep = ?,
               passed_after = ?,
               passed_before = ?,
               breakpoint = null,
               error = null,
               finished_at = case when ? then null else clock_timestamp() end
      """;

  private static final String THIS = " where id = ?";

  /// Locking the row first costs less than an update that waits for another transaction's lock.
  private static final String THIS_UNLESS_LOCKED =
      " where ctid = (select ctid from run where id = ? for update skip locked)";

  private static final String FENCE =
      """
           and lease_epoch = ? and checkpoint = ?
           and (cancel_requested_at is null or ?)
        returning id, version, lease_epoch, event_seq, event_seq - ? + 1 as first_event,
                  coalesce(finished_at, clock_timestamp()) as at
      ), written as (
      """;

  private static final String ROW =
      """

          from head,
               (select ?::integer, ?::text, ?::integer, ?::integer, ?::bigint, ?::integer,
                       ?::bytea, ?::bytea, ?::bytea, ?::bytea) as row (%s)
      )
      """
          .formatted(CheckpointArrays.NAMES);

  private static final String INCLUDE =
      """
      , included as (
        delete from recorded_task as recorded using head where recorded.run = head.id
      )
      """;

  private static final String RETURN = " select at from head";

  private final JdbcTemplate jdbc;
  private final String rest;

  public StepStatement(@Qualifier(Pools.COMMITS) DataSource pool, EntityManagerFactory entities) {
    this.jdbc = new JdbcTemplate(pool);
    var others =
        Map.of(
            "run", "head.id",
            "version", "head.version",
            "lease_epoch", "head.lease_epoch",
            "first_event", "head.first_event",
            "last_event", "head.event_seq",
            "committed_at", "head.at");
    this.rest = FENCE + CheckpointArrays.insert(entities, others) + ROW;
  }

  /// Waits for the transaction that has locked the run.
  ///
  /// @return database time of the commit; empty if the fence refused it
  public Optional<Instant> execute(Lease lease, PlainCommit plainCommit) {
    return execute(
        plainCommit.includesOutcomes()
            ? UPDATE + THIS + rest + INCLUDE + RETURN
            : UPDATE + THIS + rest + RETURN,
        lease,
        plainCommit);
  }

  /// @return empty also if another transaction has locked the run
  Optional<Instant> executeUnlessLocked(Lease lease, PlainCommit plainCommit) {
    return execute(
        plainCommit.includesOutcomes()
            ? UPDATE + THIS_UNLESS_LOCKED + rest + INCLUDE + RETURN
            : UPDATE + THIS_UNLESS_LOCKED + rest + RETURN,
        lease,
        plainCommit);
  }

  private Optional<Instant> execute(String sql, Lease lease, PlainCommit plainCommit) {
    return jdbc.query(
        sql,
        statement -> bind(statement, lease, plainCommit),
        found ->
            found.next()
                ? Optional.of(found.getObject(1, OffsetDateTime.class).toInstant())
                : Optional.<Instant>empty());
  }

  private static void bind(PreparedStatement statement, Lease lease, PlainCommit plainCommit)
      throws SQLException {
    var runHead = plainCommit.commit().head();
    boolean isRunning = runHead.status() == RunStatus.RUNNING;
    int events = plainCommit.commit().events().size();
    statement.setInt(1, plainCommit.encodedCheckpoint().number());
    statement.setInt(2, runHead.superstep());
    statement.setString(3, runHead.status().name().toLowerCase(Locale.ROOT));
    statement.setBoolean(4, isRunning);
    statement.setInt(5, events);
    bind(statement, runHead);
    statement.setBoolean(10, isRunning);
    statement.setString(11, lease.run());
    statement.setLong(12, lease.epoch());
    statement.setInt(13, plainCommit.commit().parent());
    statement.setBoolean(14, plainCommit.passesCancel());
    statement.setInt(15, events);
    bind(statement, plainCommit.encodedCheckpoint());
    statement.setBytes(22, plainCommit.encodedCheckpoint().stateHash());
    statement.setBytes(23, plainCommit.encodedCheckpoint().content());
    statement.setBytes(24, plainCommit.events());
    statement.setBytes(25, plainCommit.encodedCheckpoint().snapshot());
  }

  private static void bind(PreparedStatement statement, RunHead runHead) throws SQLException {
    statement.setLong(6, runHead.elapsed().toMillis());
    statement.setInt(7, runHead.passed().superstep());
    statement.setBoolean(8, runHead.passed().after());
    statement.setBoolean(9, runHead.passed().before());
  }

  private static void bind(PreparedStatement statement, EncodedCheckpoint encodedCheckpoint)
      throws SQLException {
    statement.setInt(16, encodedCheckpoint.number());
    statement.setString(17, encodedCheckpoint.storedKind());
    statement.setInt(18, encodedCheckpoint.superstep());
    statement.setInt(19, encodedCheckpoint.replayCost().base());
    statement.setLong(20, encodedCheckpoint.replayCost().deltaBytes());
    statement.setLong(21, encodedCheckpoint.replayCost().snapshotBytes());
  }
}
