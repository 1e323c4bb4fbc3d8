package dev.superstep.checkpoint.row;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Objects;
import java.util.Optional;
import org.hibernate.SharedSessionContract;
import org.jspecify.annotations.Nullable;

/// The head of a run after a write of the current transaction, which has locked its row.
///
/// @param epoch of the run's last lease
/// @param lastEvent seq of its last event
/// @param wake the run's wake number
/// @param driverWrites number of driver writes on the run
/// @param at database time of the write
/// @param finishedAt null: it has not ended
record WrittenHead(
    int version,
    long epoch,
    long lastEvent,
    long wake,
    short priority,
    long driverWrites,
    Instant at,
    @Nullable Instant finishedAt) {
  /// The end of an update of one row of `run`, for [#of].
  public static final String RETURNING = returning("clock_timestamp()");

  /// @param at expression of the time of the write
  static String returning(String at) {
    return """
    returning version, lease_epoch, event_seq, wake, priority, driver_writes,
              %s as at, finished_at
    """
        .formatted(at);
  }

  /// Reads what [#RETURNING] returns.
  public static WrittenHead of(ResultSet row, int number) throws SQLException {
    var finishedAt = row.getObject("finished_at", OffsetDateTime.class);
    return new WrittenHead(
        row.getInt("version"),
        row.getLong("lease_epoch"),
        row.getLong("event_seq"),
        row.getLong("wake"),
        row.getShort("priority"),
        row.getLong("driver_writes"),
        row.getObject("at", OffsetDateTime.class).toInstant(),
        finishedAt == null ? null : finishedAt.toInstant());
  }

  /// Database time of a commit: that of the run's end, if it has ended the run.
  public Instant committedAt() {
    return Objects.requireNonNullElse(finishedAt, at);
  }

  /// @param session of drivers or of an API call
  public static WrittenHead read(SharedSessionContract session, String run) {
    return session
        .createSelectionQuery(
            """
            select new dev.superstep.checkpoint.row.WrittenHead(
                   r.origin.version, r.leaseEpoch, r.eventSeq, r.wake, r.origin.priority,
                   r.driverWrites, function('clock_timestamp' as Instant), r.finishedAt)
              from RunEntity r
             where r.id = :run
            """,
            WrittenHead.class)
        .setParameter("run", run)
        .getSingleResult();
  }

  /// Reserves the numbers of events behind those of the run.
  ///
  /// @return empty if there is no such run
  public static Optional<WrittenHead> addEvents(
      SharedSessionContract session, String run, int events) {
    int found =
        session
            .createMutationQuery(
                "update RunEntity r set r.eventSeq = r.eventSeq + :events where r.id = :run")
            .setParameter("events", (long) events)
            .setParameter("run", run)
            .executeUpdate();
    return found == 0 ? Optional.empty() : Optional.of(read(session, run));
  }
}
