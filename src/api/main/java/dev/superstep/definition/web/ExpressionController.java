package dev.superstep.definition.web;

import dev.superstep.compute.ComputePool;
import dev.superstep.expression.ExpressionProblem;
import dev.superstep.expression.Expressions;
import dev.superstep.expression.InvalidExpressionException;
import dev.superstep.graph.ExpressionException;
import dev.superstep.http.openapi.Fails;
import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.FieldError;
import dev.superstep.problem.ServiceException;
import dev.superstep.security.ApiScope;
import dev.superstep.security.Requires;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/// Evaluates expressions for authors.
@Tag(name = "Catalog")
@RestController
class ExpressionController {
  private final Expressions expressions;
  private final ComputePool compute;

  ExpressionController(Expressions expressions, ComputePool compute) {
    this.compute = compute;
    this.expressions = expressions;
  }

  @Requires(ApiScope.AUTHOR)
  @Operation(operationId = "evaluateExpression")
  @Fails(ErrorCode.INVALID_EXPRESSION)
  @PostMapping(
      path = "/v1/expressions/evaluate",
      consumes = MediaType.APPLICATION_JSON_VALUE,
      produces = MediaType.APPLICATION_JSON_VALUE)
  EvaluationBody evaluate(@RequestBody EvaluateBody body) {
    try {
      var expression = body.requireExpression();
      var variables = body.variablesOrNone();
      return new EvaluationBody(compute.call(() -> expressions.evaluate(expression, variables)));
    } catch (InvalidExpressionException e) {
      throw refused(e.problems());
    } catch (ExpressionException e) {
      throw failed(e);
    }
  }

  /// Pointers are those of variables: an expression has none.
  private static ServiceException refused(List<ExpressionProblem> problems) {
    var names = problems.stream().filter(it -> !it.pointer().isEmpty()).toList();
    return names.isEmpty()
        ? new ServiceException(
            ErrorCode.INVALID_EXPRESSION,
            "the expression does not compile: " + problems.getFirst(),
            problems.stream().map(ExpressionController::error).toList())
        : new ServiceException(
            ErrorCode.INVALID_VALUE,
            "some variables have names that no expression can use",
            names.stream()
                .map(it ->
                    new FieldError(
                        "/variables" + it.pointer(), ErrorCode.INVALID_VALUE, it.message()))
                .toList());
  }

  private static FieldError error(ExpressionProblem problem) {
    return new FieldError(
        "/expression",
        ErrorCode.INVALID_EXPRESSION.code(),
        problem.message(),
        problem.line(),
        problem.column());
  }

  private static ServiceException failed(ExpressionException failure) {
    var message = String.valueOf(failure.getMessage());
    return new ServiceException(
        ErrorCode.INVALID_EXPRESSION,
        "the expression fails: " + message,
        List.of(
            failure.line() == 0
                ? new FieldError("/expression", failure.code(), message)
                : new FieldError(
                    "/expression", failure.code(), message, failure.line(), failure.column())));
  }

  /// A request to evaluate an expression.
  record EvaluateBody(@Nullable String expression, @Nullable ObjectValue variables) {

    String requireExpression() {
      if (expression == null) {
        throw ServiceException.at(
            "/expression", ErrorCode.MISSING_FIELD, "is missing; send a CEL expression");
      }
      return expression;
    }

    ObjectValue variablesOrNone() {
      return variables == null ? ObjectValue.empty() : variables;
    }
  }

  /// The result of evaluating an expression.
  record EvaluationBody(Value value) {}
}
