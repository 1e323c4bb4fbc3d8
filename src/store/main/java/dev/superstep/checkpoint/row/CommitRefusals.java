package dev.superstep.checkpoint.row;

import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.node.CheckpointStore.CommitResult;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.LeaseLostException;
import dev.superstep.engine.run.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
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

  private record CommittedHead(long epoch, int checkpoint, boolean cancelRequested, int answers) {
    static CommittedHead of(ResultSet row) throws SQLException {
      return new CommittedHead(
          row.getLong("lease_epoch"),
          row.getInt("checkpoint"),
          row.getBoolean("cancel_requested"),
          row.getInt("answers"));
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
    var found = find(lease).orElseThrow(() -> new LeaseLostException(lease));
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
    return found.answers() != commit.answersSeen() && CommitKind.needsAnswers(commit)
        ? Optional.of(new CommitResult.AnswersPending())
        : Optional.empty();
  }

  /// A driver that has lost the lease begins nothing more, even behind a commit of its own.
  private static boolean continues(Commit commit) {
    return commit.head().status() == RunStatus.RUNNING;
  }

  private Optional<CommittedHead> find(Lease lease) {
    return jdbc.sql(
            """
            select lease_epoch, checkpoint, cancel_requested_at is not null as cancel_requested,
                   answers
              from run
             where id = ?
            """)
        .param(lease.run())
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
