package dev.superstep.state;

/// Aborts the fold of a change. Never leaves [Fold].
final class Refusal extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient Fold.Problem problem;

  Refusal(Fold.Problem problem) {
    super(problem.message(), null, false, false);
    this.problem = problem;
  }

  Fold.Problem problem() {
    return problem;
  }
}
