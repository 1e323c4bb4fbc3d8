package dev.superstep.checkpoint.row;

import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Finds out why a commit changed nothing. The fence itself is the `where` of [BatchStatement] and
/// [CommitWriter].
@Component
class CommitRefusals {
  private final JdbcClient jdbc;

  /// @param pauses whether a pause is asked for behind the superstep of the commit
  /// @param pausedAt when it was looked at, if it is paused
  private record CommittedHead(
      long epoch,
      int checkpoint,
      boolean cancelRequested,
      int answers,
      boolean pauses,
      Optional<Instant> pausedAt) {
    static CommittedHead of(ResultSet row) throws SQLException {
      return new CommittedHead(
          row.getLong("lease_epoch"),
          row.getInt("checkpoint"),
          row.getBoolean("cancel_requested"),
          row.getInt("answers"),
          row.getBoolean("pauses"),
          Optional.ofNullable(row.getObject("paused_at", OffsetDateTime.class))
              .map(OffsetDateTime::toInstant));
    }
  }

  public CommitRefusals(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param parent number of the checkpoint that the write is behind
  /// @param commit the last of those that share the write
  /// @return empty if nothing prevents the commit any more: retry
  /// @throws LeaseLostException if another replica owns the run
  Optional<CommitResult> refusal(
      Lease lease, int parent, Commit commit, @Nullable EncodedCheckpoint encodedCheckpoint) {
    var found = find(lease, commit.head()).orElseThrow(() -> new LeaseLostException(lease));
    if (found.epoch() != lease.epoch()) {
      return Optional.of(
          storedResult(lease, encodedCheckpoint)
              .filter(_ -> !continues(commit))
              .orElseThrow(() -> new LeaseLostException(lease)));
    }
    if (found.checkpoint() != parent) {
      return Optional.of(
          storedResult(lease, encodedCheckpoint).orElseThrow(() -> new LeaseLostException(lease)));
    }
    if (found.cancelRequested() && !CommitKind.passesCancel(commit.head())) {
      return Optional.of(new CommitResult.CancelRequested());
    }
    var paused = byPause(found, commit);
    if (paused.isPresent()) {
      return paused;
    }
    return found.answers() != commit.answersSeen() && CommitKind.needsAnswers(commit)
        ? Optional.of(new CommitResult.AnswersPending())
        : Optional.empty();
  }

  private static Optional<CommitResult> byPause(CommittedHead found, Commit commit) {
    if (found.pauses()) {
      return CommitKind.passesPause(commit)
          ? Optional.empty()
          : Optional.of(new CommitResult.PauseChanged());
    }
    if (!CommitKind.pauses(commit.head())) {
      return Optional.empty();
    }
    // By this very write, whose acknowledgement was lost, if it has no owner.
    return Optional.of(
        found
            .pausedAt()
            .<CommitResult>map(CommitResult.Committed::new)
            .orElseGet(CommitResult.PauseChanged::new));
  }

  /// A driver that has lost the lease begins nothing more, even behind a commit of its own.
  private static boolean continues(Commit commit) {
    return commit.head().status() == RunStatus.RUNNING;
  }

  private Optional<CommittedHead> find(Lease lease, RunHead head) {
    return jdbc.sql(
            """
            select lease_epoch, checkpoint, cancel_requested_at is not null as cancel_requested,
                   answers, coalesce(pause_superstep <= ?, false) as pauses,
                   case when owner is null and breakpoint is not null
                        then clock_timestamp() end as paused_at
              from run
             where id = ?
            """)
        .params(head.superstep(), lease.run())
        .query((row, _) -> CommittedHead.of(row))
        .optional();
  }

  /// Whether this very write is on disk: an earlier try whose acknowledgement was lost. Two drivers
  /// never write the same epoch, and one never writes a number twice.
  private Optional<CommitResult> storedResult(
      Lease lease, @Nullable EncodedCheckpoint encodedCheckpoint) {
    if (encodedCheckpoint == null) {
      return Optional.empty();
    }
    return jdbc.sql(
            """
            select content, committed_at
              from checkpoint
             where run = ? and number = ? and lease_epoch = ? and state_hash = ?
            """)
        .params(
            lease.run(), encodedCheckpoint.number(), lease.epoch(), encodedCheckpoint.stateHash())
        .query((found, _) ->
            Arrays.equals(found.getBytes("content"), encodedCheckpoint.content())
                ? found.getObject("committed_at", OffsetDateTime.class).toInstant()
                : null)
        .optional()
        .map(CommitResult.Committed::new);
  }
}
