package dev.superstep.expression;

import dev.superstep.context.ContextCondition;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.Value;
import org.springframework.stereotype.Component;

/// Compiles conditions of context filters as CEL: `context` is the prompt context that the filter
/// gets, every other variable that of the task (P5, P10). `===` works (P19).
@Component
public final class ContextConditions implements ContextCondition.Compiler {
  private final Expressions expressions;

  public ContextConditions(Expressions expressions) {
    this.expressions = expressions;
  }

  @Override
  public ContextCondition compile(String source) throws ContextCondition.Invalid {
    var condition = compiled(source);
    return new ContextCondition(
        source,
        (context, around) -> {
          Scope scope =
              name ->
                  switch (name) {
                    case "template" -> Value.of(context.template());
                    case "variables" -> context.variables();
                    case "metadata" -> context.metadata();
                    case "history" -> context.history();
                    default -> around.get(name);
                  };
          return condition.test(scope);
        });
  }

  private Condition compiled(String source) throws ContextCondition.Invalid {
    try {
      return expressions.compileCondition(source);
    } catch (InvalidExpressionException e) {
      var first = e.problems().getFirst();
      throw new ContextCondition.Invalid(first.message(), first.line(), first.column());
    }
  }
}
