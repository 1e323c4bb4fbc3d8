package dev.superstep.expression;

import java.util.List;
import java.util.stream.Collectors;

/// An expression or a template that does not compile, with everything that is wrong about it.
public final class InvalidExpressionException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<ExpressionProblem> problems;

  public InvalidExpressionException(List<ExpressionProblem> problems) {
    super(problems.stream().map(ExpressionProblem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /// At least one.
  public List<ExpressionProblem> problems() {
    return problems;
  }
}
