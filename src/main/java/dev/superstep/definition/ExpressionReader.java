package dev.superstep.definition;

import dev.superstep.expression.ExpressionProblem;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Route;
import dev.superstep.state.MergeFunction;
import dev.superstep.state.Value;
import java.util.Optional;
import java.util.function.Function;

/// Compiles the expressions of a definition and says at their place what is wrong with them.
final class ExpressionReader {
  private final Expressions compiler;

  ExpressionReader(Expressions compiler) {
    this.compiler = compiler;
  }

  Optional<Condition> condition(String text, Place at) {
    return compile(text, compiler::compileCondition, at);
  }

  Optional<Route> route(String text, Place at) {
    return compile(text, compiler::compileRoute, at);
  }

  Optional<MergeFunction> merge(String text, Place at) {
    return compile(text, compiler::compileMerge, at);
  }

  void checkTemplate(String text, Place at) {
    compile(text, it -> compiler.compileTemplate(Value.of(it)), at);
  }

  private static <T> Optional<T> compile(String text, Function<String, T> compiler, Place at) {
    try {
      return Optional.of(compiler.apply(text));
    } catch (InvalidExpressionException e) {
      e.problems().forEach(it -> at.error(problem(it)));
      return Optional.empty();
    }
  }

  private static Problem problem(ExpressionProblem found) {
    return Problem.at(
        found.pointer(),
        Codes.INVALID_EXPRESSION,
        found.message(),
        Math.max(1, found.line()),
        Math.max(1, found.column()));
  }
}
