package dev.superstep.run;

import dev.superstep.checkpoint.StoredInterrupt;
import dev.superstep.problem.AuditedCaller;
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
  private Optional<String> caller = Optional.empty();

  /// Answers of a call that was recorded when it was made.
  public CheckedAnswers() {
    this(Optional.empty());
  }

  /// @param by who answers, if that is recorded
  public CheckedAnswers(Optional<AuditedCaller> by) {
    this.by = by;
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
