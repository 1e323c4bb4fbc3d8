package dev.superstep.definition.read;

import dev.superstep.expression.Expression;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Location;
import dev.superstep.graph.Route;
import dev.superstep.state.MergeFunction;
import dev.superstep.state.value.Value;
import java.util.Optional;
import java.util.function.Function;

/// Compiles the expressions of a definition and reports errors at their location.
final class ExpressionReader {
  private final Expressions compiler;

  ExpressionReader(Expressions compiler) {
    this.compiler = compiler;
  }

  Optional<Expression> value(String text, Location at) {
    return compile(text, compiler::compile, at);
  }

  Optional<Condition> condition(String text, Location at) {
    return compile(text, compiler::compileCondition, at);
  }

  Optional<Route> route(String text, Location at) {
    return compile(text, compiler::compileRoute, at);
  }

  Optional<MergeFunction> merge(String text, Location at) {
    return compile(text, compiler::compileMerge, at);
  }

  void checkTemplate(String text, Location at) {
    compile(text, it -> compiler.compileTemplate(Value.of(it)), at);
  }

  private static <T> Optional<T> compile(String text, Function<String, T> compiler, Location at) {
    try {
      return Optional.of(compiler.apply(text));
    } catch (InvalidExpressionException e) {
      e.violations().forEach(at::error);
      return Optional.empty();
    }
  }
}
