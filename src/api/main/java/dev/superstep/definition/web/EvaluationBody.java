package dev.superstep.definition.web;

import dev.superstep.state.value.Value;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;

/// The result of evaluating an expression.
@Schema(name = "Evaluation", description = "What an expression came to")
record EvaluationBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "Any JSON value", example = "2")
        Value value) {}
