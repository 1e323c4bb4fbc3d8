package dev.superstep.definition.web;

import dev.superstep.state.value.Value;

/// The result of evaluating an expression.
record EvaluationBody(Value value) {}
