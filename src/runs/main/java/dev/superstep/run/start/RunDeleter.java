package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.store.RunEraser;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunRows;
import dev.superstep.run.store.RunTreeLocks;
import dev.superstep.run.store.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionOperations;

/// Deletes runs that have ended, and threads.
@Component
class RunDeleter {
  /// Runs of a thread that are erased in one transaction, unless those that one run has begun are
  /// more.
  static final int BATCH = 100;

  /// Longest time of one call that erases a thread. Clients and proxies wait longer.
  private static final Duration ERASURE_MAX = Duration.ofSeconds(20);

  private final RunTreeLocks runTreeLocks;
  private final RunRows runs;
  private final Threads threads;
  private final RunEraser eraser;
  private final AfterCommit afterCommit;
  private final TransactionOperations transaction;
  private final AuditLog audit;

  RunDeleter(
      RunTreeLocks runTreeLocks,
      RunRows runs,
      Threads threads,
      RunEraser eraser,
      AfterCommit afterCommit,
      TransactionOperations transaction,
      AuditLog audit) {
    this.audit = audit;
    this.runTreeLocks = runTreeLocks;
    this.runs = runs;
    this.threads = threads;
    this.eraser = eraser;
    this.afterCommit = afterCommit;
    this.transaction = transaction;
  }

  /// A run is deleted with its descendants, in the caller's transaction.
  void delete(String id) {
    var ancestors = runTreeLocks.ancestors(id);
    ancestors.forEach(RunDeleter::checkEnded);
    checkUnneeded(ancestors);
    erase(withDescendants(id));
    audit.record(AuditAction.RUN_DELETE, id);
    var thread = ancestors.getLast().origin().threadId();
    if (thread != null) {
      threads.deleteIfEmpty(thread);
    }
  }

  /// Erases a thread in transactions of some [#BATCH] runs each.
  void deleteThread(String thread) {
    long begun = System.nanoTime();
    boolean gone =
        transaction.execute(_ -> {
          if (threads.findLocked(thread).isEmpty()) {
            throw RunFinder.threadNotFound(thread);
          }
          audit.record(AuditAction.THREAD_DELETE, thread);
          return eraseSome(thread);
        });
    while (!gone) {
      if (System.nanoTime() - begun >= ERASURE_MAX.toNanos()) {
        throw new ServiceException(
            ErrorCode.ERASURE_UNFINISHED,
            "thread '%s' has more runs than one call can erase; repeat the call to erase more"
                .formatted(thread));
      }
      gone = transaction.execute(_ -> eraseSome(thread));
    }
  }

  /// @return whether the thread is gone
  private boolean eraseSome(String thread) {
    if (threads.findLocked(thread).isEmpty()) {
      return true;
    }
    threads.checkFree(thread);
    var head = threads.headRun(thread).orElse("");
    var others = runs.listOn(thread, head, Limit.of(BATCH));
    var erased = new ArrayList<String>();
    int families = 0;
    while (families < others.size() && erased.size() < BATCH) {
      erased.addAll(withDescendants(others.get(families++)));
    }
    var last = families == others.size() && families < BATCH;
    if (last && !head.isEmpty()) {
      erased.addAll(withDescendants(head));
    }
    erase(erased);
    if (last) {
      threads.delete(thread);
    }
    return last;
  }

  private List<String> withDescendants(String id) {
    var below = runTreeLocks.descendants(id);
    below.forEach(RunDeleter::checkEnded);
    var all = new ArrayList<String>();
    below.forEach(it -> all.add(it.id()));
    all.add(id);
    return all;
  }

  private static void checkEnded(RunEntity run) {
    if (run.status().active()) {
      throw new ServiceException(
          ErrorCode.RUN_ACTIVE,
          "run '%s' is active; cancel it before deleting it".formatted(run.id()));
    }
  }

  /// A failed parent may be resumed, and would wait for a deleted run.
  private static void checkUnneeded(List<RunEntity> ancestors) {
    if (ancestors.size() > 1 && ancestors.get(ancestors.size() - 2).status() == RunStatus.FAILED) {
      throw new ServiceException(
          ErrorCode.RUN_ACTIVE,
          "run '%s' has begun this one and may be resumed; delete that, or cancel it first"
              .formatted(ancestors.get(ancestors.size() - 2).id()));
    }
  }

  private void erase(List<String> ids) {
    eraser.erase(ids);
    ids.forEach(it -> afterCommit.publish(it, Optional.empty()));
  }
}
