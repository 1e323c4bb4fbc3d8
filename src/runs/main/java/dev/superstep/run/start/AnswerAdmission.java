package dev.superstep.run.start;

import dev.superstep.audit.AuditAction;
import dev.superstep.audit.AuditLog;
import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.checkpoint.StoredInterrupt.Assignment;
import dev.superstep.checkpoint.row.Interrupts;
import dev.superstep.checkpoint.row.Interrupts.AnsweredAs;
import dev.superstep.engine.run.Addressees;
import dev.superstep.problem.Answerer;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.CheckedAnswers;
import dev.superstep.run.store.ChildLinks;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.springframework.stereotype.Component;

/// Decides who may answer what, whichever way the answer comes.
@Component
class AnswerAdmission {
  private final Callers callers;
  private final Interrupts interrupts;
  private final ChildLinks links;
  private final AuditLog audit;

  AnswerAdmission(Callers callers, Interrupts interrupts, ChildLinks links, AuditLog audit) {
    this.callers = callers;
    this.interrupts = interrupts;
    this.links = links;
    this.audit = audit;
  }

  /// Whether there is more to know than what stands in the question: who may answer is read from
  /// its row, under lock. One that anybody may answer can be somebody's by now, which the statement
  /// of the answer finds out.
  static boolean isAddressed(StoredInterrupt asked) {
    return !asked.question().addressees().isNone() || asked.assignment().assignee().isPresent();
  }

  /// @param starter of the run that asks
  /// @return as whom it may be answered
  /// @throws ServiceException `forbidden`, saying who may
  AnsweredAs admit(StoredInterrupt asked, Supplier<String> starter, CheckedAnswers checked) {
    requireMayAnswer(asked, starter, checked.answerer());
    return isAddressed(asked)
        ? admitAssigned(asked, starter, checked)
        : new AnsweredAs(checked.answerer().stored(), checked.answerer().people());
  }

  /// The same for one that is somebody's, or closed.
  AnsweredAs admitLocked(StoredInterrupt asked, Supplier<String> starter, CheckedAnswers checked) {
    requireMayAnswer(asked, starter, checked.answerer());
    return admitAssigned(asked, starter, checked);
  }

  private void requireMayAnswer(
      StoredInterrupt asked, Supplier<String> starter, Answerer answerer) {
    var run = asked.place().run();
    switch (asked.question().mayAnswer()) {
      case ANYBODY -> callers.lend(run, starter);
      case OTHER_THAN_STARTER -> {
        if (!answerer.isEverybody() && answerer.id().equals(starter.get())) {
          throw refused(asked, "by somebody else than who has started its run");
        }
      }
      case STARTER_WITH_TOKEN -> {
        if (!callers.lend(run, starter)) {
          throw refused(
              asked,
              "by who has started its run, with a token of an issuer in the header Authorization;"
                  + " keys and sessions of the console have none");
        }
      }
    }
  }

  /// Makes sure that the caller may have the question: one for the token of who has started the run
  /// is nobody else's, and the starter's of none that others are to answer.
  ///
  /// @throws ServiceException `forbidden`
  void requireOwnable(StoredInterrupt asked, Supplier<String> starter, CheckedAnswers checked) {
    switch (asked.question().mayAnswer()) {
      case ANYBODY -> {}
      case OTHER_THAN_STARTER -> {
        if (!checked.overrides() || !checked.answerer().administers()) {
          requireMayAnswer(asked, starter, checked.answerer());
        }
      }
      case STARTER_WITH_TOKEN ->
          throw refused(asked, "by who has started its run, and is nobody else's");
    }
  }

  /// Makes sure that the caller may say whose it is, which is under lock.
  void admitDelegation(
      StoredInterrupt asked,
      Assignment assignment,
      Supplier<String> starter,
      CheckedAnswers checked) {
    requireOwnable(asked, starter, checked);
    admit(asked, assignment, starter, checked);
  }

  /// Makes sure that it is the caller's, or the caller an administrator, which is recorded.
  void admitRelease(StoredInterrupt asked, Assignment assignment, CheckedAnswers checked) {
    var answerer = checked.answerer();
    if (!answerer.isEverybody()) {
      assignment
          .assignee()
          .filter(it -> !answerer.is(it))
          .ifPresent(
              it -> override(asked, "or released by '%s', whose it is".formatted(it), checked));
    }
  }

  private AnsweredAs admitAssigned(
      StoredInterrupt asked, Supplier<String> starter, CheckedAnswers checked) {
    var assignment = interrupts.lockAssignment(asked.id());
    assignment.ifPresent(it -> admit(asked, it, starter, checked));
    return new AnsweredAs(
        checked.answerer().stored(), assignment.flatMap(Assignment::assignee).stream().toList());
  }

  private void admit(
      StoredInterrupt asked,
      Assignment assignment,
      Supplier<String> starter,
      CheckedAnswers checked) {
    refusal(asked, assignment, starter, checked)
        .ifPresent(it -> {
          if (!checked.overrides()) {
            throw refused(asked, it);
          }
          override(asked, it, checked);
        });
  }

  /// Makes sure that who edits a run, or says what runs next, could answer what it asks or has
  /// asked. Administrators may, which is recorded.
  void admitEdit(StoredInterrupt asked, Supplier<String> starter, CheckedAnswers checked) {
    if (isAddressed(asked)) {
      refusal(asked, asked.assignment(), starter, checked)
          .ifPresent(it -> override(asked, it, checked));
    }
  }

  private void override(StoredInterrupt asked, String refusal, CheckedAnswers checked) {
    if (!checked.answerer().administers()) {
      throw refused(asked, refusal);
    }
    checked.by().ifPresent(it -> audit.record(it, AuditAction.INTERRUPT_OVERRIDE, asked.id()));
  }

  private Optional<String> refusal(
      StoredInterrupt asked,
      Assignment assignment,
      Supplier<String> starter,
      CheckedAnswers checked) {
    var answerer = checked.answerer();
    if (answerer.isEverybody()) {
      return Optional.empty();
    }
    return excluded(asked, starter, checked)
        .or(() ->
            assignment
                .assignee()
                .filter(it -> !answerer.is(it))
                .map(it -> "by '%s', whose it is".formatted(it)))
        .or(() -> outsider(assignment, answerer));
  }

  /// Who may have it: nobody that was excluded, and a candidate, if there are some.
  ///
  /// @throws ServiceException `forbidden`
  void requireCandidate(
      StoredInterrupt asked,
      Assignment assignment,
      Supplier<String> starter,
      CheckedAnswers checked) {
    if (checked.answerer().isEverybody()) {
      return;
    }
    excluded(asked, starter, checked)
        .or(() -> outsider(assignment, checked.answerer()))
        .ifPresent(it -> {
          throw refused(asked, it);
        });
  }

  private static Optional<String> outsider(Assignment assignment, Answerer answerer) {
    return assignment.assignee().isPresent()
            || assignment.candidates().isEmpty()
            || answerer.isAny(assignment.candidates())
        ? Optional.empty()
        : Optional.of("by one of: " + String.join(", ", assignment.candidates()));
  }

  private Optional<String> excluded(
      StoredInterrupt asked, Supplier<String> starter, CheckedAnswers checked) {
    return asked.question().addressees().excluded().stream()
        .flatMap(it -> excluded(it, asked, starter, checked).stream())
        .findFirst();
  }

  private Optional<String> excluded(
      String name, StoredInterrupt asked, Supplier<String> starter, CheckedAnswers checked) {
    var answerer = checked.answerer();
    return switch (name) {
      case Addressees.STARTER ->
          Optional.of("by somebody else than who has started its run")
              .filter(_ -> answerer.is(starter.get()));
      case Addressees.ANSWERED ->
          Optional.of("by somebody who has answered no question of the run before")
              .filter(_ -> hasAnswered(asked, answerer));
      default ->
          checked.hasWaited()
              ? Optional.of("by a call that need not wait for its thread")
              : Optional.of("by somebody else than '%s'".formatted(name))
                  .filter(_ -> answerer.is(name));
    };
  }

  private boolean hasAnswered(StoredInterrupt asked, Answerer answerer) {
    var run = asked.place().run();
    var path = links.paths(List.of(run)).getOrDefault(run, List.of());
    var outermost = path.isEmpty() ? run : path.getFirst().run();
    var tree = new ArrayList<>(links.descendants(outermost));
    tree.add(outermost);
    return interrupts.answered(tree, answerer.people());
  }

  private static ServiceException refused(StoredInterrupt asked, String who) {
    return new ServiceException(
        ErrorCode.FORBIDDEN,
        "interrupt '%s' is to be answered %s".formatted(asked.id(), who),
        List.of(),
        Map.of("interrupts", List.of(asked.id())));
  }
}
