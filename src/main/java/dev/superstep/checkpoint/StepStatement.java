package dev.superstep.checkpoint;

import dev.superstep.database.Pools;
import dev.superstep.engine.Head;
import dev.superstep.engine.Lease;
import dev.superstep.engine.RunStatus;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Locale;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Component;

/// One plain commit in one statement, for a run that has nobody to share with: the fenced update of
/// the head and, if it found the run as the driver thinks it is, the checkpoint. On its own it is a
/// transaction.
@Component
class StepStatement {
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

  /// Locking it first costs less than an update that waits for somebody else's lock.
  private static final String THIS_UNLESS_LOCKED =
      " where ctid = (select ctid from run where id = ? for update skip locked)";

  private static final String REST =
      """
           and lease_epoch = ? and checkpoint = ?
           and (cancel_requested_at is null or ?)
        returning id, version, lease_epoch, event_seq,
                  coalesce(finished_at, clock_timestamp()) as at
      ), written as (
        insert into checkpoint
               (run, number, kind, superstep, version, lease_epoch, base, delta_bytes,
                snapshot_bytes, first_event, last_event, committed_at, state_hash, content,
                events, snapshot)
        select id, ?, ?, ?, version, lease_epoch, ?, ?, ?, event_seq - ? + 1, event_seq, at, ?, ?,
               ?, ?
          from head
      )
      """;

  private static final String INCLUDE =
      """
      , included as (
        delete from recorded_task as recorded using head where recorded.run = head.id
      )
      """;

  private static final String RETURN = " select at from head";

  private final JdbcTemplate jdbc;

  StepStatement(@Qualifier(Pools.COMMITS) DataSource pool) {
    this.jdbc = new JdbcTemplate(pool);
  }

  /// Waits for whoever has locked the run.
  ///
  /// @return database time of the commit; empty if the fence refused it
  Optional<Instant> execute(Lease lease, Step step) {
    return execute(
        step.includesOutcomes()
            ? UPDATE + THIS + REST + INCLUDE + RETURN
            : UPDATE + THIS + REST + RETURN,
        lease,
        step);
  }

  /// @return empty also if somebody else has locked the run
  Optional<Instant> executeUnlessLocked(Lease lease, Step step) {
    return execute(
        step.includesOutcomes()
            ? UPDATE + THIS_UNLESS_LOCKED + REST + INCLUDE + RETURN
            : UPDATE + THIS_UNLESS_LOCKED + REST + RETURN,
        lease,
        step);
  }

  private Optional<Instant> execute(String sql, Lease lease, Step step) {
    return jdbc.query(
        sql,
        statement -> bind(statement, lease, step),
        found ->
            found.next()
                ? Optional.of(found.getObject(1, OffsetDateTime.class).toInstant())
                : Optional.<Instant>empty());
  }

  private static void bind(PreparedStatement statement, Lease lease, Step step)
      throws SQLException {
    var head = step.commit().head();
    boolean goesOn = head.status() == RunStatus.RUNNING;
    int events = step.commit().events().size();
    statement.setInt(1, step.row().number());
    statement.setInt(2, head.superstep());
    statement.setString(3, head.status().name().toLowerCase(Locale.ROOT));
    statement.setBoolean(4, goesOn);
    statement.setInt(5, events);
    bind(statement, head);
    statement.setBoolean(10, goesOn);
    statement.setString(11, lease.run());
    statement.setLong(12, lease.epoch());
    statement.setInt(13, step.commit().parent());
    statement.setBoolean(14, step.passesCancel());
    bind(statement, step.row());
    statement.setInt(21, events);
    statement.setBytes(22, step.row().stateHash());
    statement.setBytes(23, step.row().content());
    statement.setBytes(24, step.events());
    statement.setBytes(25, step.row().snapshot());
  }

  private static void bind(PreparedStatement statement, Head head) throws SQLException {
    statement.setLong(6, head.elapsed().toMillis());
    statement.setInt(7, head.passed().superstep());
    statement.setBoolean(8, head.passed().after());
    statement.setBoolean(9, head.passed().before());
  }

  private static void bind(PreparedStatement statement, Row row) throws SQLException {
    statement.setInt(15, row.number());
    statement.setString(16, row.kind().name().toLowerCase(Locale.ROOT));
    statement.setInt(17, row.superstep());
    statement.setInt(18, row.weight().base());
    statement.setLong(19, row.weight().deltaBytes());
    statement.setLong(20, row.weight().snapshotBytes());
  }
}
