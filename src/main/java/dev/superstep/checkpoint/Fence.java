package dev.superstep.checkpoint;

import dev.superstep.database.Pools;
import dev.superstep.engine.CheckpointStore.Result;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Lease;
import dev.superstep.engine.LeaseLostException;
import dev.superstep.engine.RunStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/// Finds out why a commit changed nothing.
@Component
class Fence {
  private final JdbcClient jdbc;

  private record Found(long epoch, int checkpoint, boolean cancelRequested, int answers) {
    static Found of(ResultSet row) throws SQLException {
      return new Found(
          row.getLong("lease_epoch"),
          row.getInt("checkpoint"),
          row.getBoolean("cancel_requested"),
          row.getInt("answers"));
    }
  }

  Fence(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @return empty if nothing stands in its way any more: try again
  /// @throws LeaseLostException if somebody else writes the run
  Optional<Result> refusal(Lease lease, Commit commit, @Nullable Row row) {
    var found = find(lease).orElseThrow(() -> new LeaseLostException(lease));
    if (found.epoch() != lease.epoch()) {
      return Optional.of(
          landed(lease, row)
              .filter(_ -> !goesOn(commit))
              .orElseThrow(() -> new LeaseLostException(lease)));
    }
    if (found.checkpoint() != commit.parent()) {
      return Optional.of(landed(lease, row).orElseThrow(() -> new LeaseLostException(lease)));
    }
    if (found.cancelRequested() && !Purpose.passesCancel(commit.head())) {
      return Optional.of(new Result.CancelRequested());
    }
    return found.answers() != commit.answersSeen() && Purpose.needsAnswers(commit)
        ? Optional.of(new Result.AnswersPending())
        : Optional.empty();
  }

  /// Who has lost the lease begins nothing more, even behind a commit of its own.
  private static boolean goesOn(Commit commit) {
    return commit.head().status() == RunStatus.RUNNING;
  }

  private Optional<Found> find(Lease lease) {
    return jdbc.sql(
            """
            select lease_epoch, checkpoint, cancel_requested_at is not null as cancel_requested,
                   answers
              from run
             where id = ?
            """)
        .param(lease.run())
        .query((row, _) -> Found.of(row))
        .optional();
  }

  /// Whether this very write is on disk: an earlier try of it, whose acknowledgement was lost. Two
  /// drivers never write the same epoch, and one never writes a number twice.
  private Optional<Result> landed(Lease lease, @Nullable Row row) {
    if (row == null) {
      return Optional.empty();
    }
    return jdbc.sql(
            """
            select content, committed_at
              from checkpoint
             where run = ? and number = ? and lease_epoch = ? and state_hash = ?
            """)
        .params(lease.run(), row.number(), lease.epoch(), row.stateHash())
        .query((found, _) ->
            Arrays.equals(found.getBytes("content"), row.content())
                ? found.getObject("committed_at", OffsetDateTime.class).toInstant()
                : null)
        .optional()
        .map(Result.Committed::new);
  }
}
