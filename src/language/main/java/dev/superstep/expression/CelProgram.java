package dev.superstep.expression;

import dev.cel.common.CelErrorCode;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelVariableResolver;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.Value;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

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
      var result =
          workBudget.run(keys, scope, () -> program.trace(new Variables(scope), workBudget));
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

  /// Looks variables up in a scope when CEL asks for them.
  private static final class Variables implements CelVariableResolver {
    private final Scope scope;
    private @Nullable ContextView context;

    Variables(Scope scope) {
      this.scope = scope;
    }

    @Override
    public Optional<Object> find(String name) {
      return Optional.of(
          switch (name) {
            case "context" -> context();
            case "now" -> now();
            default -> CelValues.view(scope.get(name));
          });
    }

    private ContextView context() {
      if (context == null) {
        context = new ContextView(scope);
      }
      return context;
    }

    private Instant now() {
      if (scope.get("now") instanceof Value.Text(var text)) {
        try {
          return Instant.parse(text);
        } catch (DateTimeParseException _) {
          throw new ExpressionException(ErrorCodes.FAILED, "now is no time: " + text);
        }
      }
      throw CelProblem.of("now has no value here");
    }
  }
}
