package dev.superstep.run.store;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.database.Pools;
import jakarta.persistence.LockModeType;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Lock;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

/// Reads, locks and deletes rows of runs.
public interface RunRows extends Repository<RunEntity, String> {

  /// The run, locked until the transaction ends: neither its driver nor another call can change it.
  @Lock(LockModeType.PESSIMISTIC_WRITE)
  @Query("select run from RunEntity run where run.id = :id")
  Optional<RunEntity> lock(String id);

  Optional<RunEntity> findById(String id);

  /// Locks a key, which need not be that of a row, until the transaction ends.
  @Query(
      nativeQuery = true,
      value =
          "select 1 from pg_advisory_xact_lock(hashtextextended(:key, 0) # "
              + Pools.SCHEMA_KEY
              + ")")
  int lockKey(String key);

  @Query(
      "select run.id from RunEntity run where run.origin.threadId = :thread and run.status in"
          + " ('queued', 'running', 'waiting', 'interrupted', 'cancelling')")
  Optional<String> findActiveOn(String thread);

  /// The runs that wait for the thread, in order of posting.
  @Query(
      """
      select run.id from RunEntity run
       where run.origin.threadId = :thread and run.status = 'enqueued'
       order by run.origin.ordinal
      """)
  List<String> listEnqueuedOn(String thread);

  /// The number of runs that wait for the thread and are not to end as soon as they have begun.
  @Query(
      """
      select count(run) from RunEntity run
       where run.origin.threadId = :thread and run.status = 'enqueued'
         and run.cancelRequestedAt is null
      """)
  long countWaitingOn(String thread);

  /// The first that waits for the thread, whether it may begin yet or not.
  @Query(
      """
      select run.id from RunEntity run
       where run.origin.threadId = :thread and run.status = 'enqueued'
       order by run.origin.ordinal limit 1
      """)
  Optional<String> findFirstEnqueuedOn(String thread);

  /// What waits for the thread: the first run, else [Threads#MESSAGES] if messages that runs have
  /// ended without are to begin one.
  @Query(
      nativeQuery = true,
      value =
          """
          select coalesce(
            (select id from run where thread_id = :thread and status = 'enqueued'
              order by ordinal limit 1),
            (select '*' where exists (
               select from run_message as message join run on run.id = message.run
                where message.if_ended = 'start' and message.checkpoint is null
                  and message.next_run is null and run.thread_id = :thread
                  and run.status in ('succeeded', 'failed', 'cancelled'))))
          """)
  Optional<String> findFirstWaitingOn(String thread);

  /// Whether a run waits for the thread, or a message that its run has ended without is to begin
  /// one.
  @Query(
      nativeQuery = true,
      value =
          """
          select exists (select from run where thread_id = :thread and status = 'enqueued')
              or exists (
                   select from run_message as message join run on run.id = message.run
                    where message.if_ended = 'start' and message.checkpoint is null
                      and message.next_run is null and run.thread_id = :thread
                      and run.status in ('succeeded', 'failed', 'cancelled'))
          """)
  boolean isAwaited(String thread);

  /// Its id alone, calls that wait to go on with the thread left out.
  @Query(
      nativeQuery = true,
      value =
          """
          select id from run
           where thread_id = :thread
             and not (status = 'enqueued'
                      and exists (select from run_input
                                   where run_input.run = run.id and continues is not null))
           order by ordinal desc limit 1
          """)
  Optional<String> findLastIdOn(String thread);

  /// The newest run of the thread, whatever its status.
  @Query(
      """
      select run from RunEntity run where run.origin.threadId = :thread
       order by run.origin.ordinal desc limit 1
      """)
  Optional<RunEntity> findLastOn(String thread);

  /// Threads that are free although runs wait for them, or that stand although a call that goes on
  /// with them is the first that waits.
  @Query(
      """
      select distinct waiting.origin.threadId from RunEntity waiting
        join RunInputEntity input on input.run = waiting.id
       where waiting.status = 'enqueued'
         and not exists (
               select run.id from RunEntity run
                where run.origin.threadId = waiting.origin.threadId
                  and run.status in ('queued', 'running', 'waiting', 'cancelling'))
         and (input.continues is not null
                and not exists (
                      select other.id from RunEntity other
                       where other.origin.threadId = waiting.origin.threadId
                         and other.status = 'enqueued'
                         and other.origin.ordinal < waiting.origin.ordinal)
              or not exists (
                   select run.id from RunEntity run
                    where run.origin.threadId = waiting.origin.threadId
                      and run.status = 'interrupted'))
      """)
  List<String> listFreeThreadsWithWaiting(Limit limit);

  /// The first runs of the thread, but for the one whose state it has.
  @Query(
      """
      select run.id from RunEntity run
       where run.origin.threadId = :thread and run.id <> :head
       order by run.origin.ordinal
      """)
  List<String> listOn(String thread, String head, Limit limit);

  /// The run whose newest checkpoint the next run of the thread starts from.
  @Query(
      """
      select run from RunEntity run
       where run.origin.threadId = :thread and run.turn is not null
       order by run.turn desc limit 1
      """)
  Optional<RunEntity> findHeadOf(String thread);

  @Query(
      """
      select count(run) from RunEntity run
       where run.origin.threadId = :thread and run.turn > :turn
      """)
  long countTurnsAbove(String thread, long turn);

  /// Its id alone: who locks it must not have read it before.
  @Query(
      """
      select run.id from RunEntity run
       where run.origin.threadId = :thread and run.turn is not null
       order by run.turn desc limit 1
      """)
  Optional<String> findHeadIdOf(String thread);

  @Query(
      """
      select count(run) from RunEntity run
       where (run.origin.graph = :graph
              or run.origin.graph > :beforeInline and run.origin.graph < :afterInline)
         and run.status in
             ('enqueued', 'queued', 'running', 'waiting', 'interrupted', 'cancelling')
      """)
  long countActive(String graph, String beforeInline, String afterInline);

  /// However many they are: a list of them would be as many parameters, which a statement takes 65
  /// 535 of.
  @Modifying
  @Query(value = "delete from run where id = any(:ids)", nativeQuery = true)
  void delete(String[] ids);
}
