package dev.superstep.run.service;

import dev.superstep.checkpoint.read.Checkpoints;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.CheckedStart;
import dev.superstep.run.ForkRun;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.RunService;
import dev.superstep.run.StartRun;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.family.RunTreeLocks;
import dev.superstep.run.start.Canceller;
import dev.superstep.run.start.Forker;
import dev.superstep.run.start.Starter;
import dev.superstep.run.start.ThreadQueue;
import dev.superstep.run.store.RunEntity;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunRows;
import dev.superstep.run.store.Threads;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionOperations;

/// Begins the transactions of all API calls, but for starts, which need none if they are a single
/// statement.
@Service
class Runs implements RunService {
  private final Starter starter;
  private final Resumer resumer;
  private final Canceller canceller;
  private final Forker forker;
  private final ThreadQueue queue;
  private final RunDeleter runDeleter;
  private final TransactionOperations transaction;

  /// Deletes runs and publishes what a call has committed.
  @Component
  record RunDeleter(
      RunTreeLocks runTreeLocks,
      RunFinder runFinder,
      RunRows runs,
      Threads threads,
      Checkpoints checkpoints,
      AfterCommit afterCommit) {

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
      if (ancestors.size() > 1
          && ancestors.get(ancestors.size() - 2).status() == RunStatus.FAILED) {
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

    Optional<String> thread(String id) {
      return Optional.ofNullable(runFinder.run(id).origin().threadId());
    }

    /// After a call that holds the lock of the run.
    void announce(String id) {
      afterCommit.publish(id, runFinder.run(id).owner());
    }
  }

  Runs(
      Starter starter,
      Resumer resumer,
      Canceller canceller,
      Forker forker,
      ThreadQueue queue,
      RunDeleter runDeleter,
      TransactionOperations transaction) {
    this.transaction = transaction;
    this.starter = starter;
    this.resumer = resumer;
    this.canceller = canceller;
    this.forker = forker;
    this.queue = queue;
    this.runDeleter = runDeleter;
  }

  @Override
  public CheckedStart check(StartRun request) {
    return starter.check(request);
  }

  @Override
  public Started start(CheckedStart request, Consumer<String> named) {
    return starter.start(request, named);
  }

  @Override
  public CheckedAnswers check(ResumeRun request) {
    return resumer.check(request);
  }

  @Override
  public void resume(ResumeRun request, CheckedAnswers answers) {
    transaction.executeWithoutResult(_ -> {
      resumer.resume(request, answers);
      runDeleter.announce(request.run());
    });
  }

  @Override
  public CheckedAnswers check(String interruptId, Value value) {
    return resumer.check(interruptId, value);
  }

  @Override
  public String answer(String interruptId, Value value, CheckedAnswers answers) {
    return transaction.execute(_ -> {
      var run = resumer.answer(interruptId, value, answers);
      runDeleter.announce(run);
      return run;
    });
  }

  @Override
  @Transactional
  public void cancel(String run) {
    canceller.cancel(run);
    runDeleter.announce(run);
    // The canceller has locked the thread.
    runDeleter.thread(run).ifPresent(queue::startNext);
  }

  @Override
  public void prepare(ForkRun request) {
    forker.prepare(request);
  }

  @Override
  @Transactional
  public String fork(ForkRun request) {
    return forker.fork(request);
  }

  @Override
  @Transactional
  public void delete(String run) {
    runDeleter.delete(run);
  }

  @Override
  @Transactional
  public void deleteThread(String thread) {
    runDeleter.deleteThread(thread);
  }
}
