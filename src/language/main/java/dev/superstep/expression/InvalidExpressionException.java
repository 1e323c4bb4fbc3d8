package dev.superstep.expression;

import dev.superstep.graph.Violation;
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

  /// The problems as those of a document that has the expression in it.
  public List<Violation> violations() {
    return problems.stream()
        .map(it ->
            new Violation(
                it.pointer(),
                "invalid_expression",
                it.message(),
                Math.max(1, it.line()),
                Math.max(1, it.column())))
        .toList();
  }

  /// At least one.
  public List<ExpressionProblem> problems() {
    return problems;
  }
}
