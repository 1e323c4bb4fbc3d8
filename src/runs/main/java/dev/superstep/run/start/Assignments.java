package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredInterrupt.Assignment;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.engine.run.Addressees;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.QuestionService;
import dev.superstep.run.query.InterruptQueries;
import dev.superstep.run.store.RunFinder;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// Changes whose open questions are, each under the lock of its row.
@Component
class Assignments implements QuestionService {
  private final InterruptQueries queries;
  private final Interrupts interrupts;
  private final AnswerAdmission admission;
  private final RunFinder runs;
  private final Callers callers;
  private final AuditLog audit;

  Assignments(
      InterruptQueries queries,
      Interrupts interrupts,
      AnswerAdmission admission,
      RunFinder runs,
      Callers callers,
      AuditLog audit) {
    this.queries = queries;
    this.interrupts = interrupts;
    this.admission = admission;
    this.runs = runs;
    this.callers = callers;
    this.audit = audit;
  }

  @Override
  public void claim(String interrupt) {
    change(
        interrupt,
        AuditAction.INTERRUPT_CLAIM,
        question -> {
          var answerer = callers.answerer();
          var assignee = question.assignment().assignee();
          var checked = CheckedAnswers.of(callers);
          var starter = starter(question.interrupt());
          admission.requireOwnable(question.interrupt(), starter, checked);
          admission.requireCandidate(question.interrupt(), question.assignment(), starter, checked);
          if (assignee.filter(it -> !answerer.is(it)).isPresent()) {
            throw claimed(question.interrupt(), assignee.get());
          }
          return assignee.isPresent() ? assignee : Optional.of(answerer.name());
        });
  }

  @Override
  public void release(String interrupt) {
    change(
        interrupt,
        AuditAction.INTERRUPT_RELEASE,
        question -> {
          var assignment = question.assignment();
          admission.admitRelease(question.interrupt(), assignment, CheckedAnswers.of(callers));
          if (assignment.candidates().isEmpty()
              && question.interrupt().question().addressees().assignee().isPresent()) {
            throw new ServiceException(
                ErrorCode.CONFLICT,
                "interrupt '%s' has no candidates to give it back to; delegate it"
                    .formatted(interrupt));
          }
          return Optional.empty();
        });
  }

  @Override
  public void delegate(String interrupt, String to, boolean override) {
    Addressees.refusal(to)
        .or(() -> Addressees.isPerson(to) ? Optional.empty() : Optional.of("must name one person"))
        .ifPresent(it -> {
          throw ServiceException.at("/to", ErrorCode.INVALID_VALUE, it);
        });
    change(
        interrupt,
        AuditAction.INTERRUPT_DELEGATE,
        question -> {
          var checked = CheckedAnswers.of(callers);
          if (override) {
            checked.override();
          }
          admission.admitDelegation(
              question.interrupt(), question.assignment(), starter(question.interrupt()), checked);
          return Optional.of(Addressees.normal(to));
        });
  }

  /// @param assignment under lock
  private record LockedQuestion(StoredInterrupt interrupt, Assignment assignment) {}

  /// @param change gives the assignee
  private void change(
      String interrupt, AuditAction action, Function<LockedQuestion, Optional<String>> change) {
    callers.requireAnswering();
    audit.recorded(
        action,
        interrupt,
        () -> {
          var asked = queries.withoutPath(interrupt);
          var assignment =
              interrupts.lockAssignment(interrupt).orElseThrow(() -> closed(interrupt));
          interrupts.assign(interrupt, change.apply(new LockedQuestion(asked, assignment)));
        });
  }

  private Supplier<String> starter(StoredInterrupt asked) {
    return () -> runs.run(asked.place().run()).origin().caller();
  }

  private static ServiceException closed(String interrupt) {
    return new ServiceException(
        ErrorCode.INTERRUPT_CLOSED,
        "interrupt '%s' is not open any more, or has expired".formatted(interrupt));
  }

  private static ServiceException claimed(StoredInterrupt asked, String assignee) {
    return new ServiceException(
        ErrorCode.INTERRUPT_CLAIMED,
        "interrupt '%s' is already that of '%s'".formatted(asked.id(), assignee));
  }
}
