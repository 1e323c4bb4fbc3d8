package dev.superstep.checkpoint.commit;

import dev.superstep.checkpoint.codec.EventCodec;
import dev.superstep.checkpoint.codec.HeadCodec;
import dev.superstep.checkpoint.codec.TaskRecordCodec;
import dev.superstep.checkpoint.jdbc.EventColumns;
import dev.superstep.checkpoint.jdbc.Written;
import dev.superstep.checkpoint.row.CommitKind;
import dev.superstep.checkpoint.row.EncodedCheckpoint;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// The one statement of a commit: the fenced update of the run's head and, if it found the run in
/// the state that the driver expects, the rows that go with it. It is its own transaction.
@Component
public class CommitStatement {
  private static final String HEAD =
      """
      with head as (
        update run
           set checkpoint = :number,
               superstep = :superstep,
               status = :status,
               owner = case when :status = 'running' then owner end,
               event_seq = event_seq + :events,
               driver_writes = driver_writes + 1,
               takeovers = 0,
               wake = wake + :wakes,
               wakes_at = case when :status <> 'queued' then :wakesAt::timestamptz end,
               queued_at = case when :status = 'queued' then clock_timestamp() else queued_at end,
               elapsed_ms = :elapsedMs,
               passed_superstep = :passedSuperstep,
               passed_after = :passedAfter,
               passed_before = :passedBefore,
               breakpoint = :breakpoint::bytea,
               error = :error::bytea,
               finished_at = case when :finished then clock_timestamp() end
         where id = :run and lease_epoch = :epoch and checkpoint = :parent
           and (cancel_requested_at is null or :passesCancel)
           and (answers = :answersSeen or not :needsAnswers)
        returning id, version, event_seq, wake, priority, driver_writes,
                  coalesce(finished_at, clock_timestamp()) as at
      )
      """;

  private static final String RETURN =
      """
      select at, wake, priority, driver_writes from head
      """;

  private static final String WITH_CHECKPOINT =
      HEAD
          + """
          , written as (
            insert into checkpoint
                   (run, number, kind, superstep, version, lease_epoch, base, delta_bytes,
                    snapshot_bytes, first_event, last_event, committed_at, state_hash, content,
                    events, snapshot)
            select id, :number, :kind, :committed, version, :epoch, :base, :deltaBytes,
                   :snapshotBytes, event_seq - :events + 1, event_seq, at, :stateHash, :content,
                   :eventBytes, :snapshot::bytea
              from head
          ), included as (
            delete from recorded_task as recorded using head
             where recorded.run = head.id and (:all or recorded.task = any(:tasks))
          )
          """
          + RETURN;

  private static final String HEAD_ONLY =
      HEAD + ", added as (" + EventColumns.INSERT + ")" + RETURN;

  private final JdbcClient jdbc;

  public CommitStatement(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param encodedCheckpoint null: only the head is written
  /// @return empty if the fence refused it and nothing has changed
  Optional<Written> execute(
      Lease lease, Commit commit, @Nullable EncodedCheckpoint encodedCheckpoint) {
    var statement =
        head(jdbc.sql(encodedCheckpoint == null ? HEAD_ONLY : WITH_CHECKPOINT), lease, commit);
    var bound =
        encodedCheckpoint == null
            ? EventColumns.bind(statement, commit.events())
            : checkpoint(
                statement.param("events", commit.events().size()), commit, encodedCheckpoint);
    return bound.query((found, _) -> Written.of(found)).optional();
  }

  private static StatementSpec head(StatementSpec statement, Lease lease, Commit commit) {
    var runHead = commit.head();
    return standing(statement, runHead)
        .param("run", lease.run())
        .param("epoch", lease.epoch())
        .param("parent", commit.parent())
        .param("number", commit.parent() + (commit.checkpoint().isPresent() ? 1 : 0))
        .param("wakes", CommitKind.wakes(runHead) ? 1 : 0)
        .param("passesCancel", CommitKind.passesCancel(runHead))
        .param("needsAnswers", CommitKind.needsAnswers(commit))
        .param("answersSeen", commit.answersSeen());
  }

  private static StatementSpec standing(StatementSpec statement, RunHead runHead) {
    return statement
        .param("status", runHead.status().name().toLowerCase(Locale.ROOT))
        .param("superstep", runHead.superstep())
        .param("finished", !runHead.status().active())
        .param("wakesAt", runHead.wakesAt().map(Instant::toString).orElse(null))
        .param("elapsedMs", runHead.elapsed().toMillis())
        .param("passedSuperstep", runHead.passed().superstep())
        .param("passedAfter", runHead.passed().after())
        .param("passedBefore", runHead.passed().before())
        .param("breakpoint", runHead.breakpoint().map(HeadCodec::bytes).orElse(null))
        .param("error", runHead.error().map(HeadCodec::bytes).orElse(null));
  }

  private static StatementSpec checkpoint(
      StatementSpec statement, Commit commit, EncodedCheckpoint encodedCheckpoint) {
    return encodedCheckpoint
        .bind(statement)
        .param("eventBytes", EventCodec.bytes(commit.events()))
        .param("all", CommitKind.advances(commit))
        .param("tasks", included(commit));
  }

  private static String[] included(Commit commit) {
    return commit.checkpoint().stream()
        .flatMap(it -> it.delta().tasks().stream())
        .map(TaskRecord::key)
        .map(TaskRecordCodec::key)
        .toArray(String[]::new);
  }
}
