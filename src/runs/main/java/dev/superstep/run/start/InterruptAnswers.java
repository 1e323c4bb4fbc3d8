package dev.superstep.run.start;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredInterrupt.Status;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.checkpoint.row.Interrupts.AnsweredAs;
import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.checkpoint.row.StoredStatus;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.ResumeRun;
import dev.superstep.run.RunService.Resumed;
import dev.superstep.run.drive.RestingRuns.AskingRun;
import dev.superstep.run.query.InterruptQueries;
import dev.superstep.run.store.RunFinder;
import dev.superstep.run.store.RunTreeLocks;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.stereotype.Component;

/// Commits answers to interrupts (E35, E37). The caller holds the lock of the run.
@Component
class InterruptAnswers {
  private final InterruptQueries interruptQueries;
  private final Interrupts interrupts;
  private final AnswerSchemas schemas;
  private final RunTreeLocks runTreeLocks;
  private final RunFinder runFinder;
  private final Callers callers;
  private final AnswerStatement statement;
  private final AnswerAdmission admission;

  InterruptAnswers(
      InterruptQueries interruptQueries,
      Interrupts interrupts,
      AnswerSchemas schemas,
      RunTreeLocks runTreeLocks,
      RunFinder runFinder,
      Callers callers,
      AnswerStatement statement,
      AnswerAdmission admission) {
    this.admission = admission;
    this.statement = statement;
    this.callers = callers;
    this.runFinder = runFinder;
    this.interruptQueries = interruptQueries;
    this.interrupts = interrupts;
    this.schemas = schemas;
    this.runTreeLocks = runTreeLocks;
  }

  /// Makes sure that the caller may answer, and decide in place of a node.
  void requireAnswering() {
    callers.requireAnswering();
  }

  /// Checks an answer. Outside of transactions: it may wait for a processor.
  CheckedAnswers check(String interruptId, Value value) {
    var checked = CheckedAnswers.of(callers);
    interrupts
        .findWithRun(interruptId)
        .ifPresent(it -> {
          runFinder.load(it.interrupt().place().graph(), it.version());
          checked.caller(it.caller());
          check(it.interrupt(), value, checked);
        });
    return checked;
  }

  /// Checks the answers of a resume, outside of transactions.
  CheckedAnswers check(ResumeRun request) {
    return asking(request)
        .map(it -> {
          var checked = CheckedAnswers.of(callers);
          check(it.question(), request.answers().getFirst().value(), checked);
          return checked;
        })
        .orElseGet(() -> check(request.run(), request.answers()));
  }

  /// The run, if the resume answers what it asks and does nothing else, and there is nothing else
  /// to resume, as far as this process knows: then the resume is that answer.
  private Optional<AskingRun> asking(ResumeRun request) {
    if (request.answers().size() != 1
        || request.edits()
        || request.sets()
        || !request.resolutions().isEmpty()
        || !request.onward().goesOn()) {
      return Optional.empty();
    }
    var meant = request.answers().getFirst().interruptId();
    return statement
        .asking(request.run())
        .filter(it -> meant.map(it.question().id()::equals).orElse(true));
  }

  /// Checks answers, outside of transactions. Stops at the first that is refused, as the call will.
  private CheckedAnswers check(String run, List<ResumeRun.ResumeAnswer> answers) {
    runFinder.load(run);
    var checked = CheckedAnswers.of(callers);
    var seen = new HashSet<String>();
    for (var answer : answers) {
      var requested = answer.interruptId().or(() -> soleOpen(run)).flatMap(interrupts::find);
      if (requested.isEmpty()
          || !seen.add(requested.get().id())
          || !check(requested.get(), answer.value(), checked)) {
        break;
      }
    }
    return checked;
  }

  private boolean check(StoredInterrupt requested, Value value, CheckedAnswers checked) {
    return checked.add(requested, value, () -> schemas.mismatches(requested, value));
  }

  private Optional<String> soleOpen(String run) {
    var open = interruptQueries.open(run);
    return open.size() == 1 ? Optional.of(open.getFirst().id()) : Optional.empty();
  }

  /// The run to which the interrupt belongs.
  String runOf(String interruptId, CheckedAnswers checked) {
    return checked
        .find(interruptId)
        .orElseGet(() -> interruptQueries.withoutPath(interruptId))
        .place()
        .run();
  }

  List<String> open(String run) {
    return interruptQueries.open(run).stream().map(StoredInterrupt::id).toList();
  }

  /// Commits a valid answer and goes on with the run here, in a statement that is a transaction of
  /// its own or part of the current one.
  ///
  /// @return empty if nothing has changed: the run, or its answer, takes more than that
  Optional<Resumed> goOn(String interruptId, Value value, CheckedAnswers checked) {
    if (!checked.accepts(interruptId, value)) {
      return Optional.empty();
    }
    var question = checked.find(interruptId).orElseThrow();
    if (AnswerAdmission.isAddressed(question)) {
      return Optional.empty();
    }
    var starter = checked.caller().orElseThrow();
    var as = admission.admit(question, () -> starter, checked);
    return statement.goOn(
        new AnswerStatement.Answer(question, starter, value, as, checked.by(), Optional.empty()));
  }

  /// The same for a resume that does nothing else.
  Optional<Resumed> goOn(ResumeRun request, CheckedAnswers checked) {
    return asking(request)
        .flatMap(asking -> {
          var question = asking.question();
          var value = request.answers().getFirst().value();
          var starter = asking.view().summary().origin().createdBy().orElse(Callers.EVERYBODY);
          if (!checked.accepts(question.id(), value) || AnswerAdmission.isAddressed(question)) {
            return Optional.empty();
          }
          var as = admission.admit(question, () -> starter, checked);
          return statement.goOn(
              new AnswerStatement.Answer(
                  question, starter, value, as, checked.by(), Optional.of(asking)));
        });
  }

  /// The caller that has started a run, which is locked.
  private String starter(StoredInterrupt asked) {
    return runFinder.run(asked.place().run()).origin().caller();
  }

  /// Commits the answer to one interrupt.
  void answer(String interruptId, Value value, CheckedAnswers checked) {
    answer(interruptId, value, "/value", checked);
  }

  /// An answer that was found valid takes one conditional update. Only one that is refused reads
  /// the interrupt, under the lock: neither its driver nor another call can close it now.
  ///
  /// @param pointer to the value in the request
  private void answer(String interruptId, Value value, String pointer, CheckedAnswers checked) {
    if (checked.accepts(interruptId, value)) {
      var found = checked.find(interruptId).orElseThrow();
      var as = admission.admit(found, () -> starter(found), checked);
      if (update(interruptId, value, as, checked)) {
        return;
      }
    }
    var interrupt = interruptQueries.withoutPath(interruptId);
    var as = admission.admitLocked(interrupt, () -> starter(interrupt), checked);
    if (interrupt.status() != Status.OPEN) {
      throw closed(interrupt);
    }
    var errors =
        checked.of(interrupt.id(), value, () -> schemas.mismatches(interrupt, value)).stream()
            .map(it ->
                new FieldError(pointer + it.pointer(), ErrorCode.INVALID_ANSWER, it.message()))
            .toList();
    if (!errors.isEmpty()) {
      throw new ServiceException(
          ErrorCode.INVALID_ANSWER,
          "the answer does not fit the schema of interrupt '%s'".formatted(interrupt.id()),
          errors);
    }
    if (!update(interruptId, value, as, checked)) {
      throw closed(interrupt);
    }
  }

  /// @return whether it was open, had not expired and was nobody else's
  private boolean update(String interruptId, Value value, AnsweredAs as, CheckedAnswers checked) {
    return interrupts.answer(interruptId, value, as, checked.by());
  }

  /// Makes sure that who edits a run, or says what it does next, could answer what it asks in this
  /// moment, and the call does not answer.
  void admitEdit(ResumeRun request, CheckedAnswers checked) {
    for (var open : interruptQueries.open(request.run())) {
      if (request.answers().stream()
          .noneMatch(it -> it.interruptId().map(open.id()::equals).orElse(true))) {
        admission.admitEdit(open, () -> starter(open), checked);
      }
    }
  }

  /// The same for who forks, and what the run asks or has asked behind that checkpoint.
  void admitFork(String run, int checkpoint) {
    var checked = CheckedAnswers.of(callers);
    Stream.concat(interruptQueries.open(run).stream(), interrupts.behind(run, checkpoint).stream())
        .distinct()
        .forEach(it -> admission.admitEdit(it, () -> starter(it), checked));
  }

  private static ServiceException closed(StoredInterrupt interrupt) {
    return new ServiceException(
        ErrorCode.INTERRUPT_CLOSED,
        interrupt.status() == Status.OPEN
            ? "interrupt '%s' has expired".formatted(interrupt.id())
            : "interrupt '%s' is not open any more: it is %s"
                .formatted(interrupt.id(), interrupt.status().apiName()));
  }

  /// Commits the answers of a resume: all or none. Interrupts of descendants count as interrupts of
  /// the run.
  ///
  /// @return for each answer, the run that its interrupt belongs to
  List<String> answerAll(
      RunEntity run, List<ResumeRun.ResumeAnswer> answers, CheckedAnswers checked) {
    var seen = new HashSet<String>();
    var requested = new ArrayList<String>();
    var found = new ArrayList<StoredInterrupt>();
    for (int i = 0; i < answers.size(); i++) {
      var pointer = "/answers/" + i;
      var interrupt = interrupt(run, answers.get(i), pointer);
      if (!seen.add(interrupt.id())) {
        throw ServiceException.at(
            pointer + "/interrupt_id",
            ErrorCode.INVALID_VALUE,
            "interrupt '%s' is answered twice".formatted(interrupt.id()));
      }
      found.add(interrupt);
      requested.add(interrupt.place().run());
    }
    requested.stream().distinct().forEach(runTreeLocks::ancestors);
    for (int i = 0; i < answers.size(); i++) {
      answer(found.get(i).id(), answers.get(i).value(), "/answers/" + i + "/value", checked);
    }
    return requested;
  }

  private StoredInterrupt interrupt(RunEntity run, ResumeRun.ResumeAnswer answer, String pointer) {
    if (answer.interruptId().isEmpty()) {
      return soleOpen(run);
    }
    var interrupt = interruptQueries.find(answer.interruptId().get());
    var place = interrupt.place();
    var id = run.id();
    if (!place.run().equals(id) && place.path().stream().noneMatch(it -> it.run().equals(id))) {
      throw ServiceException.at(
          pointer + "/interrupt_id",
          ErrorCode.INTERRUPT_NOT_FOUND,
          "interrupt '%s' is not of this run".formatted(interrupt.id()));
    }
    return interrupt;
  }

  private StoredInterrupt soleOpen(RunEntity run) {
    var open = interruptQueries.open(run.id());
    if (open.size() == 1) {
      return open.getFirst();
    }
    var ids = open.stream().map(StoredInterrupt::id).toList();
    throw new ServiceException(
        open.isEmpty() ? ErrorCode.INTERRUPT_CLOSED : ErrorCode.INTERRUPT_AMBIGUOUS,
        open.isEmpty()
            ? asksNothing(run)
            : "%d interrupts are open; say with interrupt_id which one is meant"
                .formatted(open.size()),
        List.of(),
        Map.of("interrupts", ids));
  }

  private static String asksNothing(RunEntity run) {
    return run.breakpoint()
        .map(it ->
            "the run asks nothing: it %s %s; resume it without answers"
                .formatted(
                    it.isPause() ? "is paused before" : "stands at the breakpoint " + it.when(),
                    String.join(", ", it.nodes())))
        .orElseGet(() ->
            "the run asks nothing: it has no open interrupt and is %s"
                .formatted(StoredStatus.apiName(run.status())));
  }
}
