package dev.superstep.run.start;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ContinueThread.Continued;
import dev.superstep.run.ContinueThread.TurnTaken;
import dev.superstep.run.drive.AfterCommit;
import dev.superstep.run.start.Continuation.Decision;
import dev.superstep.run.store.RunEraser;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.Threads;
import java.util.List;
import java.util.Optional;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.stereotype.Component;

/// Carries out calls that have waited to go on with their thread. The caller holds the locks of the
/// thread and of the run that has waited.
@Component
class WaitingCalls {
  private final Continuation continuation;
  private final WaitingForks forks;
  private final RunFinder runFinder;
  private final RunEraser eraser;
  private final Threads threads;
  private final Canceller canceller;
  private final AfterCommit afterCommit;
  private final ApplicationEventPublisher publisher;

  WaitingCalls(
      Continuation continuation,
      WaitingForks forks,
      RunFinder runFinder,
      RunEraser eraser,
      Threads threads,
      Canceller canceller,
      AfterCommit afterCommit,
      ApplicationEventPublisher publisher) {
    this.continuation = continuation;
    this.forks = forks;
    this.runFinder = runFinder;
    this.eraser = eraser;
    this.threads = threads;
    this.canceller = canceller;
    this.afterCommit = afterCommit;
    this.publisher = publisher;
  }

  /// The call for which a run waits, if it is to go on with its thread.
  Optional<ContinueThread> of(RunEntity waiting) {
    var thread = waiting.origin().threadId();
    return thread == null
        ? Optional.empty()
        : runFinder
            .input(waiting.id())
            .continues(thread)
            .map(it ->
                new ContinueThread(
                    it.thread(), waiting.from(), it.work(), it.given(), it.ifBusy()));
  }

  /// @return whether the run begins, with its first checkpoint written; else the call goes on with
  ///   another one, and this one is erased
  /// @throws ServiceException if nothing can be made of the call
  boolean carryOut(ContinueThread call, RunEntity waiting) {
    return switch (continuation.decide(call, waiting.cancelRequested())) {
      case Decision.NothingToDo(var run) -> end(call, waiting, Continued.nothing(run.id()));
      case Decision.Resume resume ->
          end(
              call,
              waiting,
              continuation.resume(call, resume, CheckedAnswers.waited(waiting.origin().caller())));
      case Decision.Fork(var request) -> {
        threads.lockActive(call.thread()).ifPresent(it -> canceller.end(it.id()));
        forks.begin(waiting, request);
        yield true;
      }
    };
  }

  private boolean end(ContinueThread call, RunEntity waiting, Continued continued) {
    publisher.publishEvent(new TurnTaken(waiting.id(), call.thread(), continued));
    eraser.erase(List.of(waiting.id()));
    afterCommit.publish(waiting.id(), Optional.empty());
    return false;
  }
}
