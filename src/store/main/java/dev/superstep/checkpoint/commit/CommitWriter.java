package dev.superstep.checkpoint.commit;

import dev.superstep.checkpoint.HeadCodec;
import dev.superstep.checkpoint.TaskRecordCodec;
import dev.superstep.checkpoint.row.CheckpointEntity;
import dev.superstep.checkpoint.row.CommitKind;
import dev.superstep.checkpoint.row.EncodedCheckpoint;
import dev.superstep.checkpoint.row.RunEventEntity;
import dev.superstep.checkpoint.row.WrittenHead;
import dev.superstep.database.PoolEntities;
import dev.superstep.database.Pools;
import dev.superstep.engine.checkpoint.Commit;
import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunStatus;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.hibernate.StatelessSession;
import org.hibernate.query.MutationQuery;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;

/// Writes the head and the checkpoint of a commit in the current transaction: first the fenced
/// update of the head, whose count decides, then the rows that go with it.
@Component
public class CommitWriter {
  private static final String FENCE =
      """
      update RunEntity r
         set r.checkpoint = :number,
             r.superstep = :superstep,
             r.status = :status,
             r.owner = case when :running = true then r.owner end,
             r.eventSeq = r.eventSeq + :events,
             r.driverWrites = r.driverWrites + 1,
             r.takeovers = 0,
             r.wake = r.wake + :wakes,
             r.wakesAt = :wakesAt,
             r.queuedAt = case when :queued = true
                               then function('clock_timestamp' as Instant)
                               else r.queuedAt end,
             r.elapsedMs = :elapsedMs,
             r.passedSuperstep = :passedSuperstep,
             r.passedAfter = :passedAfter,
             r.passedBefore = :passedBefore,
             r.breakpoint = :breakpoint,
             r.error = :error,
             r.errorCode = :errorCode,
             r.finishedAt = case when :finished = true
                                 then function('clock_timestamp' as Instant) end
       where r.id = :run and r.leaseEpoch = :epoch and r.checkpoint = :parent
         and (r.cancelRequestedAt is null or :passesCancel = true)
         and (r.answers = :answersSeen or :needsAnswers = false)
      """;

  private final PoolEntities entities;

  public CommitWriter(@Qualifier(Pools.ENGINE) PoolEntities entities) {
    this.entities = entities;
  }

  /// @param encodedCheckpoint null: only the head is written
  /// @return empty if the fence refused it and nothing has changed
  Optional<WrittenHead> write(
      Lease lease, Commit commit, @Nullable EncodedCheckpoint encodedCheckpoint) {
    var run = lease.run();
    return entities.run(session -> {
      if (fenced(session, lease, commit).executeUpdate() == 0) {
        return Optional.empty();
      }
      var head = WrittenHead.read(session, run);
      var at = head.committedAt();
      if (encodedCheckpoint == null) {
        session.insertMultiple(RunEventEntity.of(run, commit.events(), head.lastEvent(), at));
      } else {
        session.insert(new CheckpointEntity(run, encodedCheckpoint, commit.events(), head, at));
        removeIncluded(session, run, commit);
      }
      return Optional.of(head);
    });
  }

  private static MutationQuery fenced(StatelessSession session, Lease lease, Commit commit) {
    return bind(session.createMutationQuery(FENCE), commit.head())
        .setParameter("run", lease.run())
        .setParameter("epoch", lease.epoch())
        .setParameter("parent", commit.parent())
        .setParameter("number", commit.parent() + (commit.checkpoint().isPresent() ? 1 : 0))
        .setParameter("events", (long) commit.events().size())
        .setParameter("passesCancel", CommitKind.passesCancel(commit.head()))
        .setParameter("needsAnswers", CommitKind.needsAnswers(commit))
        .setParameter("answersSeen", commit.answersSeen());
  }

  private static MutationQuery bind(MutationQuery fenced, RunHead head) {
    boolean queued = head.status() == RunStatus.QUEUED;
    return fenced
        .setParameter("status", head.status().name().toLowerCase(Locale.ROOT))
        .setParameter("running", head.status() == RunStatus.RUNNING)
        .setParameter("queued", queued)
        .setParameter("finished", !head.status().active())
        .setParameter("superstep", head.superstep())
        .setParameter("wakes", CommitKind.wakes(head) ? 1L : 0L)
        .setParameter("wakesAt", queued ? null : head.wakesAt().orElse(null))
        .setParameter("elapsedMs", head.elapsed().toMillis())
        .setParameter("passedSuperstep", head.passed().superstep())
        .setParameter("passedAfter", head.passed().after())
        .setParameter("passedBefore", head.passed().before())
        .setParameter("breakpoint", head.breakpoint().map(HeadCodec::bytes).orElse(null))
        .setParameter("error", head.error().map(HeadCodec::bytes).orElse(null))
        .setParameter("errorCode", head.error().map(it -> it.error().code()).orElse(null));
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
