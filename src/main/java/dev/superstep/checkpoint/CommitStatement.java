package dev.superstep.checkpoint;

import dev.superstep.database.Pools;
import dev.superstep.engine.Commit;
import dev.superstep.engine.Head;
import dev.superstep.engine.Lease;
import dev.superstep.engine.TaskRecord;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// The one statement of a commit: the fenced update of the run's head and, if it found the run as
/// the driver thinks it is, the rows that go with it. On its own it is a transaction.
@Component
class CommitStatement {
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

  CommitStatement(@Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// @param row null: only the head
  /// @return empty if the fence refused it; nothing has changed then
  Optional<Written> execute(Lease lease, Commit commit, @Nullable Row row) {
    var statement = head(jdbc.sql(row == null ? HEAD_ONLY : WITH_CHECKPOINT), lease, commit);
    var bound =
        row == null
            ? EventColumns.bind(statement, commit.events())
            : checkpoint(statement.param("events", commit.events().size()), commit, row);
    return bound.query((found, _) -> Written.of(found)).optional();
  }

  private static StatementSpec head(StatementSpec statement, Lease lease, Commit commit) {
    var head = commit.head();
    return standing(statement, head)
        .param("run", lease.run())
        .param("epoch", lease.epoch())
        .param("parent", commit.parent())
        .param("number", commit.parent() + (commit.checkpoint().isPresent() ? 1 : 0))
        .param("wakes", Purpose.wakes(head) ? 1 : 0)
        .param("passesCancel", Purpose.passesCancel(head))
        .param("needsAnswers", Purpose.needsAnswers(commit))
        .param("answersSeen", commit.answersSeen());
  }

  private static StatementSpec standing(StatementSpec statement, Head head) {
    return statement
        .param("status", head.status().name().toLowerCase(Locale.ROOT))
        .param("superstep", head.superstep())
        .param("finished", !head.status().active())
        .param("wakesAt", head.wakesAt().map(Instant::toString).orElse(null))
        .param("elapsedMs", head.elapsed().toMillis())
        .param("passedSuperstep", head.passed().superstep())
        .param("passedAfter", head.passed().after())
        .param("passedBefore", head.passed().before())
        .param("breakpoint", head.breakpoint().map(HeadCodec::bytes).orElse(null))
        .param("error", head.error().map(HeadCodec::bytes).orElse(null));
  }

  private static StatementSpec checkpoint(StatementSpec statement, Commit commit, Row row) {
    return row.bind(statement)
        .param("eventBytes", EventCodec.bytes(commit.events()))
        .param("all", Purpose.advances(commit))
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
