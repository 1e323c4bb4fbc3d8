package dev.superstep.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.problem.Answerer;
import dev.superstep.problem.AuditedCaller;
import dev.superstep.problem.Callers;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.ValueCheck.Mismatch;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Answers that were checked before the transaction of their call: the schema of an interrupt never
/// changes. What is wrong with them is reported when they are to be committed.
public final class CheckedAnswers {
  private final List<Verdict> verdicts = new ArrayList<>();
  private final Optional<AuditedCaller> by;
  private final Answerer answerer;
  private final boolean waited;
  private boolean overrides;
  private Optional<String> caller = Optional.empty();

  private CheckedAnswers(Optional<AuditedCaller> by, Answerer answerer, boolean waited) {
    this.by = by;
    this.answerer = answerer;
    this.waited = waited;
  }

  /// Answers of the request that this thread answers.
  public static CheckedAnswers of(Callers callers) {
    return new CheckedAnswers(callers.audited(), callers.answerer(), false);
  }

  /// No answers.
  public static CheckedAnswers none() {
    return new CheckedAnswers(Optional.empty(), Answerer.of(Callers.EVERYBODY), false);
  }

  /// Answers of a call that was recorded when it was made, and has waited: no more is known of its
  /// caller than the id.
  public static CheckedAnswers waited(String caller) {
    return new CheckedAnswers(Optional.empty(), Answerer.of(caller), true);
  }

  /// @param refusal why the answer could not be checked
  private record Verdict(
      StoredInterrupt interrupt,
      Value value,
      List<Mismatch> violations,
      Optional<ServiceException> refusal) {
    boolean isOf(String other, Value answer) {
      return interrupt.id().equals(other) && value.equals(answer);
    }
  }

  /// Who answers, if that is recorded.
  public Optional<AuditedCaller> by() {
    return by;
  }

  public Answerer answerer() {
    return answerer;
  }

  /// Whether no more is known of who answers than the id.
  public boolean hasWaited() {
    return waited;
  }

  /// Whether an administrator answers what others are asked.
  public boolean overrides() {
    return overrides;
  }

  public void override() {
    overrides = true;
  }

  /// The caller who has started the run that asks, if it was read for the check.
  public Optional<String> caller() {
    return caller;
  }

  public void caller(String starter) {
    caller = Optional.of(starter);
  }

  /// @return whether it is a valid answer
  public boolean add(StoredInterrupt interrupt, Value value, Supplier<List<Mismatch>> check) {
    try {
      var violations = check.get();
      verdicts.add(new Verdict(interrupt, value, violations, Optional.empty()));
      return violations.isEmpty();
    } catch (ServiceException e) {
      verdicts.add(new Verdict(interrupt, value, List.of(), Optional.of(e)));
      return false;
    }
  }

  /// The interrupt as it was read for the check; empty: there was none.
  public Optional<StoredInterrupt> find(String interrupt) {
    return verdicts.stream()
        .map(Verdict::interrupt)
        .filter(it -> it.id().equals(interrupt))
        .findFirst();
  }

  /// Whether this is known to be a valid answer.
  public boolean accepts(String interrupt, Value value) {
    return verdicts.stream()
        .anyMatch(
            it -> it.isOf(interrupt, value) && it.violations().isEmpty() && it.refusal().isEmpty());
  }

  /// @param check for an answer without the id of its interrupt, if another interrupt is the only
  ///   open one by now
  public List<Mismatch> of(String interrupt, Value value, Supplier<List<Mismatch>> check) {
    var found = verdicts.stream().filter(it -> it.isOf(interrupt, value)).findFirst();
    found
        .flatMap(Verdict::refusal)
        .ifPresent(it -> {
          throw it;
        });
    return found.map(Verdict::violations).orElseGet(check);
  }
}
