package dev.superstep.definition.web;

import dev.superstep.definition.Validation;
import dev.superstep.problem.FieldError;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;

/// The result of validating a definition.
@Schema(name = "Validation", description = "What is wrong with a definition")
record ValidationBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "Whether it could be posted")
        boolean valid,
    @Schema(requiredMode = RequiredMode.REQUIRED) List<FieldError> errors,
    @Schema(requiredMode = RequiredMode.REQUIRED) List<FieldError> warnings) {

  static ValidationBody of(Validation validation) {
    return new ValidationBody(
        validation.errors().isEmpty(),
        FieldError.of(validation.errors()),
        FieldError.of(validation.warnings()));
  }
}
