package dev.superstep.definition.web;

import dev.superstep.problem.ErrorCode;
import dev.superstep.problem.ServiceException;
import dev.superstep.state.value.ObjectValue;
import org.jspecify.annotations.Nullable;

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
