package dev.superstep.run.service;

import dev.superstep.checkpoint.read.Checkpoints;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.family.RunTreeLocks;
import dev.superstep.run.store.RunEntity;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunRows;
import dev.superstep.run.store.Threads;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Deletes runs that have ended, and threads, in the caller's transaction.
@Component
class RunDeleter {
  private final RunTreeLocks runTreeLocks;
  private final RunRows runs;
  private final Threads threads;
  private final Checkpoints checkpoints;
  private final AfterCommit afterCommit;

  RunDeleter(
      RunTreeLocks runTreeLocks,
      RunRows runs,
      Threads threads,
      Checkpoints checkpoints,
      AfterCommit afterCommit) {
    this.runTreeLocks = runTreeLocks;
    this.runs = runs;
    this.threads = threads;
    this.checkpoints = checkpoints;
    this.afterCommit = afterCommit;
  }

  /// A run is deleted with its descendants.
  void delete(String id) {
    var ancestors = runTreeLocks.ancestors(id);
    ancestors.forEach(RunDeleter::checkEnded);
    checkUnneeded(ancestors);
    var below = runTreeLocks.descendants(id);
    below.forEach(RunDeleter::checkEnded);
    below.reversed().forEach(it -> erase(it.id()));
    erase(id);
    var thread = ancestors.getLast().origin().threadId();
    if (thread != null) {
      threads.deleteIfEmpty(thread);
    }
  }

  void deleteThread(String thread) {
    if (threads.findLocked(thread).isEmpty()) {
      throw RunFinder.threadNotFound(thread);
    }
    threads.checkFree(thread);
    for (var id : runs.listOn(thread)) {
      var below = runTreeLocks.descendants(id);
      below.forEach(RunDeleter::checkEnded);
      below.reversed().forEach(it -> erase(it.id()));
      erase(id);
    }
    threads.delete(thread);
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

  private void erase(String id) {
    checkpoints.delete(id);
    runs.delete(id);
    afterCommit.publish(id, Optional.empty());
  }
}
