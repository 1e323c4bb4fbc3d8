package dev.superstep.run.start;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ForkRun;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.RunService.Resumed;
import dev.superstep.run.check.CallerQuotas;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.drive.ParentNotifier;
import dev.superstep.run.drive.RunRequeuer;
import dev.superstep.run.store.RunTreeLocks;
import dev.superstep.state.value.Value;
import dev.superstep.tenant.Share;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Resumes runs that stopped (E34, E38, E39, E42), in the caller's transaction, under the lock of
/// the run's row.
@Component
class Resumer {
  private final InterruptAnswers interruptAnswers;
  private final RunTreeLocks runTreeLocks;
  private final ResumeEdits resumeEdits;
  private final ChildResumer childResumer;
  private final ParentNotifier parentNotifier;
  private final RunRequeuer runRequeuer;
  private final AfterCommit afterCommit;
  private final CallerQuotas quotas;

  Resumer(
      InterruptAnswers interruptAnswers,
      RunTreeLocks runTreeLocks,
      ResumeEdits resumeEdits,
      ChildResumer childResumer,
      ParentNotifier parentNotifier,
      RunRequeuer runRequeuer,
      AfterCommit afterCommit,
      CallerQuotas quotas) {
    this.interruptAnswers = interruptAnswers;
    this.runTreeLocks = runTreeLocks;
    this.resumeEdits = resumeEdits;
    this.childResumer = childResumer;
    this.parentNotifier = parentNotifier;
    this.runRequeuer = runRequeuer;
    this.afterCommit = afterCommit;
    this.quotas = quotas;
  }

  /// Whether a task of another run has begun it.
  boolean isOfTask(String run) {
    return runTreeLocks.links().find(run).isPresent();
  }

  /// Locks the thread of the run, and the run with its ancestors.
  void lock(String run) {
    var _ = runTreeLocks.ancestors(run);
  }

  /// Goes on with a run that has stopped and that a message has go on (E49), if it can: its driver
  /// closes what it asks. The caller has [locked][#lock] it.
  void goOn(String id) {
    var ancestors = runTreeLocks.ancestors(id);
    var run = ancestors.getLast();
    if (run.isPaused()) {
      afterCommit.publish(run.id(), run.owner());
      return;
    }
    if (run.status() == RunStatus.FAILED
        && (!run.hasBegun() || ancestors.size() > 1 || !resumeEdits.resumable(run))) {
      return;
    }
    quotas.lend(run.id(), run.origin().caller());
    var _ = resumeEdits.apply(run, ResumeRun.pending(id));
    admit(ancestors.getFirst());
    requeue(run);
    notifyAncestors(ancestors);
  }

  /// Makes sure that the caller may answer, and decide in place of a node.
  void requireAnswering() {
    interruptAnswers.requireAnswering();
  }

  /// The same for a call that goes on with a thread from an older checkpoint, not anew.
  void admitBranch(ContinueThread request) {
    request
        .from()
        .filter(it -> !it.isBeforeInput() && !request.work().change().isEmpty())
        .ifPresent(it -> interruptAnswers.admitFork(it.run(), it.checkpoint()));
  }

  /// Makes sure that the caller could answer what a fork goes around.
  void admitFork(ForkRun request) {
    if (request.decides() || request.version().isPresent()) {
      interruptAnswers.admitFork(request.run(), request.checkpoint());
    }
  }

  /// Checks an answer. Outside of transactions: it may wait for a processor.
  CheckedAnswers check(String interruptId, Value value) {
    return interruptAnswers.check(interruptId, value);
  }

  /// Checks the answers of a resume, outside of transactions.
  CheckedAnswers check(ResumeRun request) {
    return interruptAnswers.check(request);
  }

  /// Answers an interrupt and goes on with its run here, if that takes a single statement.
  Optional<Resumed> goOn(String interruptId, Value value, CheckedAnswers checked) {
    return interruptAnswers.goOn(interruptId, value, checked);
  }

  /// The same for a resume that does nothing else.
  Optional<Resumed> goOn(ResumeRun request, CheckedAnswers checked) {
    return interruptAnswers.goOn(request, checked);
  }

  Resumed answer(String interruptId, Value value, CheckedAnswers checked) {
    var id = interruptAnswers.runOf(interruptId, checked);
    var ancestors = runTreeLocks.ancestors(id);
    var run = ancestors.getLast();
    interruptAnswers.answer(interruptId, value, checked);
    run.countAnswers(1);
    long before = run.eventSeq();
    if (run.isPaused()) {
      afterCommit.publish(run.id(), run.owner());
    } else {
      admit(ancestors.getFirst());
      requeue(run);
      notifyAncestors(ancestors);
    }
    return new Resumed(id, before, Optional.empty());
  }

  /// @return number of the last event before what the run does from now on
  long resume(ResumeRun request, CheckedAnswers checked) {
    var ancestors = runTreeLocks.ancestors(request.run());
    var run = ancestors.getLast();
    check(run, ancestors);
    if (request.edits() && run.status() != RunStatus.FAILED) { // that asks nothing
      interruptAnswers.admitEdit(request, checked);
    }
    long before = run.eventSeq();
    if (request.onward().goesOn()) {
      resume(request, checked, ancestors);
    } else {
      edit(run, request);
      afterCommit.publish(run.id(), run.owner());
    }
    return before;
  }

  /// Goes on for one superstep, behind which the run pauses; runs below it go on as they do with a
  /// resume.
  ///
  /// @return as [#resume] does
  long step(String id) {
    var ancestors = runTreeLocks.ancestors(id);
    var run = ancestors.getLast();
    check(run, ancestors);
    if (run.owned()
        || (run.status() != RunStatus.INTERRUPTED && run.status() != RunStatus.FAILED)) {
      throw new ServiceException(
          ErrorCode.RUN_NOT_AT_REST, "the run is moving; pause it, and step once it has paused");
    }
    if (!interruptAnswers.open(id).isEmpty()) {
      throw nothingToResume(run);
    }
    long before = run.eventSeq();
    resume(ResumeRun.pending(id), CheckedAnswers.none(), ancestors);
    run.step();
    return before;
  }

  private void resume(ResumeRun request, CheckedAnswers checked, List<RunEntity> ancestors) {
    var run = ancestors.getLast();
    quotas.lend(run.id(), run.origin().caller());
    boolean paused = run.withdrawPause();
    boolean edited = resumeEdits.apply(run, request) || paused;
    var below = childResumer.resume(run, request.limits());
    var answered = interruptAnswers.answerAll(run, request.answers(), checked);
    if (!edited && below.isEmpty() && request.answers().isEmpty()) {
      throw nothingToResume(run);
    }
    admit(ancestors.getFirst());
    below.forEach(this::requeue);
    answered.forEach(it -> answered(it, run, ancestors));
    requeue(run);
    notifyAncestors(ancestors);
  }

  /// A run that rests until a person acts is not counted as an active run of its caller. From now
  /// on it is counted again, but its descendants are resumed with it and not refused: a tree of
  /// runs larger than the bound could never proceed.
  private void admit(RunEntity outermost) {
    var origin = outermost.origin();
    var share = Share.of(outermost.id(), origin.caller());
    switch (outermost.status()) {
      case INTERRUPTED -> quotas.admit(share);
      case FAILED -> {
        if (isExhausted(outermost)) {
          quotas.requireBudget(origin.graph(), origin.caller());
        }
        quotas.admit(share);
      }
      case QUEUED, RUNNING, WAITING, CANCELLING, SUCCEEDED, CANCELLED -> {}
    }
  }

  private static boolean isExhausted(RunEntity run) {
    return run.error().filter(it -> it.error().code().equals(RunBudget.EXHAUSTED)).isPresent();
  }

  /// From now on, commits of a run that had ended are the state of its thread.
  private void edit(RunEntity run, ResumeRun request) {
    if (!request.answers().isEmpty() || !request.resolutions().isEmpty()) {
      throw ServiceException.at(
          "/continue",
          ErrorCode.INVALID_VALUE,
          "answers and resolve have the run go on; without that it takes change, context, goto,"
              + " limits, interrupt_before and interrupt_after");
    }
    if (!request.edits() && !request.sets()) {
      throw new ServiceException(
          ErrorCode.NOTHING_TO_RESUME,
          "there is no change, context, goto, limit or breakpoint to edit the run with");
    }
    resumeEdits.applyOnly(run, request);
    runRequeuer.keep(run);
  }

  private static void check(RunEntity run, List<RunEntity> ancestors) {
    switch (run.status()) {
      case SUCCEEDED, CANCELLED ->
          throw new ServiceException(
              ErrorCode.RUN_ENDED,
              "the run %s; fork it to go on from one of its checkpoints"
                  .formatted(
                      run.status() == RunStatus.SUCCEEDED ? "has succeeded" : "was cancelled"));
      case FAILED -> {
        if (!run.hasBegun()) {
          throw new ServiceException(
              ErrorCode.RUN_NOT_RESUMABLE,
              "the run could not begin when its thread was free; start another");
        }
        if (ancestors.size() > 1) {
          throw new ServiceException(
              ErrorCode.RUN_NOT_RESUMABLE,
              "a task of run '%s' has begun this one; resume that, which continues this"
                  .formatted(ancestors.get(ancestors.size() - 2).id()));
        }
      }
      case QUEUED, RUNNING, WAITING, INTERRUPTED, CANCELLING -> {}
    }
  }

  /// Counts an answer to an interrupt of some descendant, or of the run itself.
  private void answered(String id, RunEntity run, List<RunEntity> ancestors) {
    if (id.equals(run.id())) {
      run.countAnswers(1);
      return;
    }
    var below = runTreeLocks.ancestors(id);
    below.getLast().countAnswers(1);
    requeue(below.getLast());
    notifyAncestors(below.subList(ancestors.size() - 1, below.size()));
  }

  /// A run that is driven or queued reads what has been committed by itself. One that has reached a
  /// limit keeps the answer until it is resumed with a higher one (E39).
  private void requeue(RunEntity run) {
    if (run.resting() && resumeEdits.resumable(run)) {
      runRequeuer.requeue(run);
    }
    afterCommit.publish(run.id(), run.owner());
  }

  /// The ancestors have no open interrupt any more, or one less: their drivers check.
  private void notifyAncestors(List<RunEntity> ancestors) {
    for (var above : ancestors.subList(0, ancestors.size() - 1).reversed()) {
      parentNotifier.requeueInterrupted(above);
    }
  }

  private ServiceException nothingToResume(RunEntity run) {
    var open = interruptAnswers.open(run.id());
    return new ServiceException(
        ErrorCode.NOTHING_TO_RESUME,
        open.isEmpty()
            ? "nothing of this run has failed, it is not paused and stands at no breakpoint"
            : "the run waits for answers; send them in answers or to /v1/interrupts/{id}/answer",
        List.of(),
        Map.of("interrupts", open));
  }
}
