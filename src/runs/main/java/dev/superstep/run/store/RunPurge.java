package dev.superstep.run.store;

import dev.superstep.checkpoint.row.StoredStatus;
import dev.superstep.engine.run.RunStatus;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Purges a batch of ended runs with the runs that they have begun, in one transaction.
///
/// It locks, in the order of all calls, threads before their runs, and skips what is locked rather
/// than wait. What it has locked is checked then, so that a run that was resumed meanwhile is left
/// alone, and a resume that comes later finds no run.
@Component
class RunPurge {
  private final JdbcClient jdbc;
  private final RunEraser eraser;
  private final TransactionOperations transaction;

  RunPurge(JdbcClient jdbc, RunEraser eraser, TransactionOperations transaction) {
    this.jdbc = jdbc;
    this.eraser = eraser;
    this.transaction = transaction;
  }

  /// Runs of one graph that ended in the same way.
  record PurgeBatch(List<String> runs, RunStatus status, RetentionPolicy policy) {}

  private record Candidate(String id, @Nullable String thread) {}

  /// @return how many runs were purged, descendants included
  int purge(PurgeBatch batch) {
    return transaction.execute(_ -> purgeLocked(batch));
  }

  private int purgeLocked(PurgeBatch batch) {
    var keep = batch.policy().keeps(batch.status());
    if (keep.isEmpty() || batch.runs().isEmpty()) {
      return 0;
    }
    var threads = lockThreads(batch.runs());
    var locked = lockRuns(batch, keep.get(), threads);
    var needed = neededByThreads(locked, batch);
    var roots = locked.stream().map(Candidate::id).filter(it -> !needed.contains(it)).toList();
    var erased = withDescendants(roots);
    eraser.erase(erased);
    if (!threads.isEmpty()) {
      deleteEmpty(threads, batch.policy().threads());
    }
    return erased.size();
  }

  private List<String> lockThreads(List<String> runs) {
    return jdbc.sql(
            """
            select id from thread
             where id in (select thread_id from run where id = any(:runs))
             order by id for update skip locked
            """)
        .param("runs", array(runs))
        .query((row, _) -> row.getString(1))
        .list();
  }

  private List<Candidate> lockRuns(PurgeBatch batch, Duration keep, List<String> threads) {
    return jdbc.sql(
            """
            select id, thread_id from run
             where id = any(:runs) and status = :status
               and finished_at < clock_timestamp() - make_interval(secs => :keep)
               and (thread_id is null or thread_id = any(:threads))
             order by id for update skip locked
            """)
        .param("runs", array(batch.runs()))
        .param("status", StoredStatus.apiName(batch.status()))
        .param("keep", seconds(keep))
        .param("threads", array(threads))
        .query((row, _) -> new Candidate(row.getString("id"), row.getString("thread_id")))
        .list();
  }

  /// Of these runs those whose state a thread has, unless the thread has been idle for so long that
  /// it goes with this run, which is its last one.
  private Set<String> neededByThreads(List<Candidate> candidates, PurgeBatch batch) {
    var inThreads =
        candidates.stream().filter(it -> it.thread() != null).map(Candidate::id).toList();
    if (inThreads.isEmpty()) {
      return Set.of();
    }
    var idle = batch.policy().keepsHead(batch.status());
    return new HashSet<>(
        jdbc.sql(
                """
                select id from run
                 where id = any(:runs) and turn is not null
                   and not exists (select from run as later
                                    where later.thread_id = run.thread_id and later.turn > run.turn)
                   and not (:ends
                            and finished_at < clock_timestamp() - make_interval(secs => :idle)
                            and not exists (select from run as other
                                             where other.thread_id = run.thread_id
                                               and other.id <> run.id))
                """)
            .param("runs", array(inThreads))
            .param("ends", idle.isPresent())
            .param("idle", idle.map(RunPurge::seconds).orElse(0.0))
            .query((row, _) -> row.getString(1))
            .list());
  }

  private record Descendant(String root, String id) {}

  /// The runs with all that they and their descendants have begun; those of which a descendant has
  /// not ended, or is locked, are left out.
  private List<String> withDescendants(List<String> roots) {
    var below = descendants(roots);
    var ended = new HashSet<>(lockEnded(below.stream().map(Descendant::id).toList()));
    var kept = new HashSet<String>();
    below.stream().filter(it -> !ended.contains(it.id())).forEach(it -> kept.add(it.root()));
    var found = new ArrayList<String>();
    below.stream().filter(it -> !kept.contains(it.root())).forEach(it -> found.add(it.id()));
    roots.stream().filter(it -> !kept.contains(it)).forEach(found::add);
    return found;
  }

  private List<Descendant> descendants(List<String> roots) {
    return jdbc.sql(
            """
            with recursive below (root, id) as (
              select parent, child from child_run where parent = any(:roots)
              union all
              select below.root, child_run.child
                from below join child_run on child_run.parent = below.id
            )
            select root, id from below
            """)
        .param("roots", array(roots))
        .query((row, _) -> new Descendant(row.getString("root"), row.getString("id")))
        .list();
  }

  private List<String> lockEnded(List<String> runs) {
    return runs.isEmpty()
        ? List.of()
        : jdbc.sql(
                """
                select id from run
                 where id = any(:runs) and status in ('succeeded', 'failed', 'cancelled')
                 order by id for update skip locked
                """)
            .param("runs", array(runs))
            .query((row, _) -> row.getString(1))
            .list();
  }

  /// Threads that a call has made or described stay for as long as idle threads do.
  private void deleteEmpty(List<String> threads, Optional<Duration> idle) {
    jdbc.sql(
            """
            delete from thread
             where id = any(:threads) and not exists (select from run where thread_id = thread.id)
               and (not kept
                    or :ends
                       and greatest(created_at, described_at)
                             < clock_timestamp() - make_interval(secs => :idle))
            """)
        .param("threads", array(threads))
        .param("ends", idle.isPresent())
        .param("idle", idle.map(RunPurge::seconds).orElse(0.0))
        .update();
  }

  private static String[] array(List<String> values) {
    return values.toArray(String[]::new);
  }

  private static double seconds(Duration duration) {
    return duration.toMillis() / 1000.0;
  }
}
