package dev.superstep.checkpoint.row;

import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hibernate.StatelessSession;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.stereotype.Component;

/// Writes the head and the checkpoint of a commit in the current transaction: first the fenced
/// update of the head, whose count decides, then the rows that go with it.
@Component
class CommitWriter {
  private static final String FENCE =
      """
      update run
         set checkpoint = :number,
             superstep = :superstep,
             status = :status,
             owner = case when :running then owner end,
             event_seq = event_seq + :events,
             driver_writes = driver_writes + 1,
             takeovers = 0,
             wake = wake + :wakes,
             wakes_at = :wakes_at::timestamptz,
             queued_at = case when :queued then clock_timestamp() else queued_at end,
             elapsed_ms = :elapsed_ms,
             passed_superstep = :passed_superstep,
             passed_after = :passed_after,
             passed_before = :passed_before,
             breakpoint = :breakpoint::bytea,
             error = :error::bytea,
             error_code = :error_code::text,
             finished_at = case when :finished then clock_timestamp() end
       where id = :run and lease_epoch = :epoch and checkpoint = :parent
         and (cancel_requested_at is null or :passes_cancel)
         and (answers = :answers_seen or not :needs_answers)
      """
          + WrittenHead.RETURNING;

  private final PoolEntities entities;
  private final JdbcClient jdbc;

  public CommitWriter(
      @Qualifier(Pools.ENGINE) PoolEntities entities, @Qualifier(Pools.ENGINE) JdbcClient jdbc) {
    this.entities = entities;
    this.jdbc = jdbc;
  }

  /// @param encodedCheckpoint null: only the head is written
  /// @return empty if the fence refused it and nothing has changed
  Optional<WrittenHead> write(
      Lease lease, Commit commit, @Nullable EncodedCheckpoint encodedCheckpoint) {
    var written = fenced(lease, commit).query(WrittenHead::of).optional();
    written.ifPresent(head -> follow(lease.run(), commit, encodedCheckpoint, head));
    return written;
  }

  private void follow(
      String run, Commit commit, @Nullable EncodedCheckpoint encodedCheckpoint, WrittenHead head) {
    var at = head.committedAt();
    if (encodedCheckpoint == null) {
      entities.insert(RunEventEntity.of(run, commit.events(), head.lastEvent(), at));
      return;
    }
    entities.run(session -> {
      session.insert(new CheckpointEntity(run, encodedCheckpoint, commit.events(), head, at));
      removeIncluded(session, run, commit);
      return head;
    });
  }

  private StatementSpec fenced(Lease lease, Commit commit) {
    return bind(jdbc.sql(FENCE), commit.head())
        .param("run", lease.run())
        .param("epoch", lease.epoch())
        .param("parent", commit.parent())
        .param("number", commit.parent() + (commit.checkpoint().isPresent() ? 1 : 0))
        .param("events", commit.events().size())
        .param("passes_cancel", CommitKind.passesCancel(commit.head()))
        .param("needs_answers", CommitKind.needsAnswers(commit))
        .param("answers_seen", commit.answersSeen());
  }

  private static StatementSpec bind(StatementSpec fenced, RunHead head) {
    boolean queued = head.status() == RunStatus.QUEUED;
    var wakesAt = queued ? Optional.<Instant>empty() : head.wakesAt();
    return fenced
        .param("status", head.status().name().toLowerCase(Locale.ROOT))
        .param("running", head.status() == RunStatus.RUNNING)
        .param("queued", queued)
        .param("finished", !head.status().active())
        .param("superstep", head.superstep())
        .param("wakes", CommitKind.wakes(head) ? 1 : 0)
        .param("wakes_at", wakesAt.map(it -> it.atOffset(ZoneOffset.UTC)).orElse(null))
        .param("elapsed_ms", head.elapsed().toMillis())
        .param("passed_superstep", head.passed().superstep())
        .param("passed_after", head.passed().after())
        .param("passed_before", head.passed().before())
        .param("breakpoint", head.breakpoint().map(HeadCodec::bytes).orElse(null))
        .param("error", head.error().map(HeadCodec::bytes).orElse(null))
        .param("error_code", head.error().map(it -> it.error().code()).orElse(null));
  }

  /// Recorded outcomes that are part of the checkpoint from now on.
  private static void removeIncluded(StatelessSession session, String run, Commit commit) {
    if (CommitKind.advances(commit)) {
      session
          .createMutationQuery("delete RecordedTaskEntity t where t.key.run = :run")
          .setParameter("run", run)
          .executeUpdate();
      return;
    }
    var tasks = included(commit);
    if (!tasks.isEmpty()) {
      session
          .createMutationQuery(
              "delete RecordedTaskEntity t where t.key.run = :run and t.key.task in :tasks")
          .setParameter("run", run)
          .setParameterList("tasks", tasks)
          .executeUpdate();
    }
  }

  private static List<String> included(Commit commit) {
    return commit.checkpoint().stream()
        .flatMap(it -> it.delta().tasks().stream())
        .map(it -> TaskRecordCodec.key(it.key()))
        .toList();
  }
}
