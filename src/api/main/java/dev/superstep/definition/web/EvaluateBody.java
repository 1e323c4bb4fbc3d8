package dev.superstep.definition.web;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import org.jspecify.annotations.Nullable;

/// A request to evaluate an expression.
@Schema(name = "Evaluate", description = "An expression to try out")
record EvaluateBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, example = "state.count + 1")
        @Nullable String expression,
    @Schema(
            description = "What its variables are; those left out are null",
            example = "{\"state\": {\"count\": 1}}")
        @Nullable ObjectValue variables) {

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
