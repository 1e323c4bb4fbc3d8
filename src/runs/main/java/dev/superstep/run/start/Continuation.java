package dev.superstep.run.start;

import dev.superstep.checkpoint.CheckpointRef;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.ContinueThread;
import dev.superstep.run.ContinueThread.Continued;
import dev.superstep.run.ContinueThread.ThreadWork;
import dev.superstep.run.ForkRun;
import dev.superstep.run.IfBusy;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.ResumeRun.Onward;
import dev.superstep.run.ResumeRun.ResumeAnswer;
import dev.superstep.run.query.InterruptQueries;
import dev.superstep.run.store.Threads;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Decides what going on with a thread means, from its state under its lock. No run of the thread
/// moves: it has none that is active, or one that stands at a question or a breakpoint, or is
/// paused.
@Component
class Continuation {
  private static final String END = "__end__";

  private final Threads threads;
  private final InterruptQueries interrupts;
  private final GivenSettings given;
  private final Resumer resumer;

  Continuation(Threads threads, InterruptQueries interrupts, GivenSettings given, Resumer resumer) {
    this.threads = threads;
    this.interrupts = interrupts;
    this.given = given;
    this.resumer = resumer;
  }

  /// What a call becomes.
  sealed interface Decision {
    /// A run that has stopped goes on.
    record Resume(RunEntity run, List<ResumeAnswer> answers) implements Decision {}

    /// A new run goes on from a checkpoint.
    record Fork(ForkRun request) implements Decision {}

    /// The run stays as it is.
    record NothingToDo(RunEntity run) implements Decision {}
  }

  /// @param ends whether what the call begins ends at once: only its change is to be kept
  /// @throws ServiceException if nothing can be made of the call
  Decision decide(ContinueThread call, boolean ends) {
    var head =
        threads
            .lockHead(call.thread())
            .orElseThrow(() ->
                ServiceException.at(
                    "/input",
                    ErrorCode.INVALID_VALUE,
                    "is missing: the thread has no state to go on with yet"));
    var work = call.work();
    var older = call.from().filter(it -> !threads.isNewest(head, it));
    if (older.isPresent()) {
      return branch(call, older.get());
    }
    var at = new CheckpointRef(head.id(), head.checkpoint());
    if (work.ends() || ends) {
      return fork(call, at, ends ? Optional.empty() : Optional.of(END));
    }
    if (work.answer().isPresent()) {
      return answer(head, work.answer().get());
    }
    return switch (head.status()) {
      case INTERRUPTED ->
          work.isPlain() && !head.isPaused() && !interrupts.open(head.id()).isEmpty()
              ? new Decision.NothingToDo(head)
              : new Decision.Resume(head, List.of());
      case FAILED -> new Decision.Resume(head, List.of());
      case SUCCEEDED -> {
        refuseGoTo(work);
        yield work.isPlain() ? new Decision.NothingToDo(head) : fork(call, at, Optional.empty());
      }
      case CANCELLED -> {
        refuseGoTo(work);
        yield fork(call, at, Optional.empty());
      }
      case QUEUED, RUNNING, WAITING, CANCELLING ->
          throw new IllegalStateException("run '%s' moves".formatted(head.id()));
    };
  }

  /// From an older checkpoint, with what was pending there.
  private Decision branch(ContinueThread call, CheckpointRef from) {
    var work = call.work();
    if (work.answer().isPresent()) {
      throw ServiceException.at(
          "/command/resume",
          ErrorCode.INVALID_VALUE,
          "answers the open question of the thread, not one of an older state");
    }
    if (!work.ends()) {
      refuseGoTo(work);
    }
    threads.checkIsOf(call.thread(), from);
    var at = from.isBeforeInput() ? new CheckpointRef(from.run(), 0) : from;
    return fork(call, at, work.ends() ? Optional.of(END) : Optional.empty());
  }

  private static void refuseGoTo(ThreadWork work) {
    if (!work.goTo().isEmpty()) {
      throw ServiceException.at(
          "/command/goto",
          ErrorCode.INVALID_VALUE,
          "activates nodes beside what is pending, and nothing is: the run there has ended; send"
              + " input, or update the state as a node");
    }
  }

  private Decision fork(ContinueThread call, CheckpointRef at, Optional<String> asNode) {
    var over = given.over(call.given(), at.run(), at.checkpoint());
    return new Decision.Fork(
        new ForkRun(
            at.run(),
            at.checkpoint(),
            Optional.empty(),
            Optional.of(call.work().change()).filter(it -> !it.isEmpty()),
            asNode,
            over.limits(),
            over.context(),
            Optional.of(call.thread()),
            IfBusy.REJECT,
            call.given().settings()));
  }

  private Decision answer(RunEntity head, Value value) {
    var open = interrupts.open(head.id()).stream().map(StoredInterrupt::id).toList();
    if (open.isEmpty()) {
      return new Decision.NothingToDo(head);
    }
    if (value instanceof ObjectValue map
        && !map.isEmpty()
        && Set.copyOf(open).containsAll(map.asMap().keySet())) {
      return new Decision.Resume(
          head,
          map.asMap().entrySet().stream()
              .map(it -> new ResumeAnswer(Optional.of(it.getKey()), it.getValue()))
              .toList());
    }
    if (open.size() > 1) {
      throw ServiceException.at(
          "/command/resume",
          ErrorCode.INVALID_VALUE,
          "%d questions are open; send an object of their ids and the answers: %s"
              .formatted(open.size(), String.join(", ", open)));
    }
    return new Decision.Resume(
        head, List.of(new ResumeAnswer(Optional.of(open.getFirst()), value)));
  }

  /// Whether an open question of a run that may still move is answered.
  boolean answersNow(ContinueThread call, RunEntity active) {
    return call.work().answer().isPresent()
        && call.from().filter(it -> !threads.isNewest(active, it)).isEmpty()
        && active.status() != RunStatus.CANCELLING
        && !interrupts.open(active.id()).isEmpty();
  }

  Continued answerNow(ContinueThread call, RunEntity active, CheckedAnswers checked) {
    return switch (answer(active, call.work().answer().orElseThrow())) {
      case Decision.Resume resume -> resume(call, resume, checked);
      case Decision.NothingToDo _, Decision.Fork _ -> Continued.nothing(active.id());
    };
  }

  /// @param checked answers that were checked before the transaction
  Continued resume(ContinueThread call, Decision.Resume decided, CheckedAnswers checked) {
    var run = decided.run();
    int checkpoint = run.checkpoint();
    var over = given.over(call.given(), run.id(), checkpoint);
    var request =
        new ResumeRun(
            run.id(),
            decided.answers(),
            List.of(),
            Optional.of(call.work().change()).filter(it -> !it.isEmpty()),
            over.limits(),
            over.context(),
            new Onward(call.work().goTo(), true),
            call.given().settings());
    long after = resumer.resume(request, checked);
    return new Continued(run.id(), after, checkpoint, false);
  }
}
