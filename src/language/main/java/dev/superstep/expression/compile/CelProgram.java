package dev.superstep.expression.compile;

import dev.cel.common.CelErrorCode;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.superstep.expression.ErrorCodes;
import dev.superstep.expression.Expression;
import dev.superstep.expression.ExpressionLimits;
import dev.superstep.expression.Position;
import dev.superstep.expression.function.Operators;
import dev.superstep.expression.value.CelProblem;
import dev.superstep.expression.value.CelResults;
import dev.superstep.expression.value.LongWork;
import dev.superstep.expression.value.Variables;
import dev.superstep.expression.value.WorkBudget;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.Value;
import java.util.Set;
import java.util.regex.Pattern;

/// A compiled expression with all its bounds.
final class CelProgram implements Expression {
  private static final Pattern ERROR_PREFIX =
      Pattern.compile("^evaluation error(?: at \\S*:(\\d+))?: ");
  private static final String MISSING_HINT =
      "; test with has(x.y), or take a default with x.?y.orValue(z)";
  private static final int SHOWN_MAX = 120;

  private final CelRuntime.Program program;
  private final String source;
  private final Set<Long> keys;
  private final Bounds bounds;

  /// What bounds its evaluations.
  record Bounds(ExpressionLimits limits, LongWork longWork) {
    WorkBudget newBudget() {
      return new WorkBudget(limits, longWork);
    }
  }

  /// @param keys the nodes that compute keys of map literals
  CelProgram(CelRuntime.Program program, String source, Set<Long> keys, Bounds bounds) {
    this.program = program;
    this.source = source;
    this.keys = keys;
    this.bounds = bounds;
  }

  @Override
  public Value evaluate(Scope scope) {
    return evaluate(scope, bounds.newBudget());
  }

  /// @param workBudget what is left for it and what comes behind it
  Value evaluate(Scope scope, WorkBudget workBudget) {
    var result = run(scope, workBudget);
    try {
      return CelResults.convert(result, bounds.limits().result());
    } catch (ExpressionException e) {
      throw new ExpressionException(e.code(), e.getMessage() + inSource());
    }
  }

  boolean test(Scope scope) {
    var result = run(scope, bounds.newBudget());
    if (result instanceof Boolean flag) {
      return flag;
    }
    throw new ExpressionException(
        ErrorCodes.NOT_BOOLEAN,
        "the condition must be true or false, not %s%s"
            .formatted(CelProblem.typeName(result), inSource()));
  }

  private Object run(Scope scope, WorkBudget workBudget) {
    try {
      var result = workBudget.run(keys, () -> program.trace(new Variables(scope), workBudget));
      workBudget.exhausted().ifPresent(this::tooLarge);
      return result;
    } catch (CelEvaluationException e) {
      workBudget.exhausted().ifPresent(this::tooLarge);
      throw failure(e);
    } catch (StackOverflowError _) {
      throw tooLarge("it is nested too deeply");
    }
  }

  private ExpressionException tooLarge(String why) {
    throw new ExpressionException(ErrorCodes.TOO_LARGE, why + inSource());
  }

  private ExpressionException failure(CelEvaluationException e) {
    var message = String.valueOf(e.getMessage());
    var code = e.getErrorCode();
    if (code == CelErrorCode.ITERATION_BUDGET_EXCEEDED) {
      return tooLarge(
          "its loops take more than %d steps".formatted(bounds.limits().iterationsMax()));
    }
    var matcher = ERROR_PREFIX.matcher(message);
    var hint = code == CelErrorCode.ATTRIBUTE_NOT_FOUND ? MISSING_HINT : "";
    if (!matcher.find()) {
      return failed(message, hint);
    }
    var words = message.substring(matcher.end());
    return matcher.group(1) == null
        ? failed(words, hint)
        : failed(words, hint, Position.ofCodePoint(source, Integer.parseInt(matcher.group(1))));
  }

  private ExpressionException failed(String message, String hint) {
    return new ExpressionException(
        ErrorCodes.FAILED, Operators.shorten(message, 500) + hint + inSource());
  }

  private ExpressionException failed(String message, String hint, Position at) {
    var where = "line %d, column %d: ".formatted(at.line(), at.column());
    return new ExpressionException(
        ErrorCodes.FAILED,
        where + Operators.shorten(message, 500) + hint + inSource(),
        at.line(),
        at.column());
  }

  private String inSource() {
    return " (in: %s)".formatted(Operators.shorten(source.strip(), SHOWN_MAX));
  }
}
