package dev.superstep.run.start;

import dev.superstep.checkpoint.row.RunEntity;
import dev.superstep.engine.run.Allowance;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.RunError;
import dev.superstep.engine.run.Usage;
import dev.superstep.graph.Limits;
import dev.superstep.graph.Violations;
import dev.superstep.problem.DurationText;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.check.LimitChecks;
import dev.superstep.run.query.SpentByRun;
import dev.superstep.run.store.ChildLimits;
import dev.superstep.run.store.RunFinder;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/// Changes the limits of a run, and checks that it can proceed under them (E39).
@Component
class LimitRaiser {
  private static final Set<String> FINAL_ERRORS = Set.of("stalled_join", "no_branch_completed");

  private final RunFinder runFinder;
  private final LimitChecks checks;
  private final EngineLimits server;
  private final SpentByRun spent;

  LimitRaiser(RunFinder runFinder, LimitChecks checks, EngineLimits server, SpentByRun spent) {
    this.runFinder = runFinder;
    this.checks = checks;
    this.server = server;
    this.spent = spent;
  }

  /// @throws ServiceException `run_not_resumable` if the run cannot proceed under them
  void raise(RunEntity run, Limits requested) {
    set(run, requested);
    run.error().ifPresent(it -> checkResumable(run, it, runFinder.input(run.id()).limits()));
  }

  /// Sets the limits of a run that does not proceed yet.
  void set(RunEntity run, Limits requested) {
    var violations = new Violations();
    checks.check(requested, "/limits", violations);
    ServiceException.throwIfAny(violations);
    var input = runFinder.input(run.id());
    input.limits(requested.or(input.limits()));
  }

  /// Whether nothing can make the run proceed.
  static boolean isFinal(RunEntity run) {
    return run.error().map(it -> isFinal(run, it)).orElse(false);
  }

  /// A task that failed holds its superstep, which a resume completes. One whose superstep has
  /// committed has ended the run, as its graph says.
  private static boolean isFinal(RunEntity run, RunError error) {
    return error
        .task()
        .map(it -> it.superstep() <= run.superstep())
        .orElseGet(() -> FINAL_ERRORS.contains(error.error().code()));
  }

  /// Wall time that the run has left.
  Duration timeLeft(RunEntity run) {
    var inForce = limits(run, runFinder.input(run.id()).limits());
    return inForce.timeout().orElseThrow().minus(run.elapsed());
  }

  /// The limits of a resumed child that had used up its budget: those of the resume, but no more
  /// than its parent has left.
  ///
  /// @param requested limits of the resume; the parent has them already
  /// @param counted usage of the child that the parent has counted
  Limits share(RunEntity parent, Usage counted, Limits requested) {
    var inForce = limits(parent, runFinder.input(parent.id()).limits());
    var used = usage(parent);
    var budget =
        new Allowance(
            requested
                .modelCallsMax()
                .map(it ->
                    Math.toIntExact(
                        least(it, inForce.modelCallsMax(), counted.calls() - used.calls()))),
            requested
                .tokensMax()
                .map(it ->
                    least(it, inForce.tokensMax(), counted.totalTokens() - used.totalTokens())));
    return ChildLimits.budget(budget);
  }

  /// @param difference what the parent has counted of the child, less the child's total
  private static long least(long requested, Optional<? extends Number> max, long difference) {
    return max.map(it -> Math.max(1, Math.min(requested, it.longValue() + difference)))
        .orElse(requested);
  }

  private Usage usage(RunEntity run) {
    return spent.of(run.id(), run.checkpoint(), run.superstep()).total();
  }

  /// Whether the run can proceed as it is.
  boolean resumable(RunEntity run) {
    try {
      run.error().ifPresent(it -> checkResumable(run, it, runFinder.input(run.id()).limits()));
      return true;
    } catch (ServiceException e) {
      return false;
    }
  }

  private void checkResumable(RunEntity run, RunError error, Limits own) {
    var code = error.error().code();
    if (isFinal(run, error)) {
      throw notResumable(
          "a run that failed with %s cannot go on; fork it from an earlier checkpoint"
              .formatted(code));
    }
    if (error.task().isEmpty()) {
      checkOwn(run, code, own);
    }
    if (code.equals(RunBudget.CALLS_EXCEEDED) || code.equals(RunBudget.TOKENS_EXCEEDED)) {
      checkBudget(run, limits(run, own));
    }
  }

  /// A task may fail with the same codes: with those of its child run.
  private void checkOwn(RunEntity run, String code, Limits own) {
    if (code.equals("max_supersteps_exceeded")) {
      int max = limits(run, own).superstepsMax().orElseThrow();
      if (max <= run.superstep()) {
        throw notResumable(
            "%d supersteps are committed; resume with limits.max_supersteps above that"
                .formatted(run.superstep()));
      }
    }
    if (code.equals("run_timeout")) {
      var timeout = limits(run, own).timeout().orElseThrow();
      if (timeout.compareTo(run.elapsed()) <= 0) {
        throw notResumable(
            "the run has taken %s; resume with limits.timeout above that"
                .formatted(DurationText.write(run.elapsed().truncatedTo(ChronoUnit.MILLIS))));
      }
    }
  }

  /// Checks both limits: the other one may be used up as well.
  private void checkBudget(RunEntity run, Limits limits) {
    var usage = usage(run);
    checkAbove(limits.modelCallsMax(), usage.calls(), "model calls", "max_model_calls");
    checkAbove(limits.tokensMax(), usage.totalTokens(), "tokens", "max_tokens");
  }

  private static void checkAbove(
      Optional<? extends Number> max, long used, String what, String limit) {
    if (max.isPresent() && max.get().longValue() <= used) {
      throw notResumable(
          "the run has spent %d %s; resume with limits.%s above that".formatted(used, what, limit));
    }
  }

  /// Those in force.
  private Limits limits(RunEntity run, Limits own) {
    return runFinder.graph(run).program().graph().limits(own).or(server.standard());
  }

  private static ServiceException notResumable(String detail) {
    return new ServiceException(ErrorCode.RUN_NOT_RESUMABLE, detail);
  }
}
