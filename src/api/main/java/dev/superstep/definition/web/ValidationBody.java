package dev.superstep.definition.web;

import dev.superstep.definition.Validation;
import dev.superstep.problem.FieldError;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.media.Schema.RequiredMode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of validating a definition.
@Schema(name = "Validation", description = "What is wrong with a definition")
record ValidationBody(
    @Schema(requiredMode = RequiredMode.REQUIRED, description = "Whether it could be posted")
        boolean valid,
    @Schema(requiredMode = RequiredMode.REQUIRED) List<FieldError> errors,
    @Schema(requiredMode = RequiredMode.REQUIRED) List<FieldError> warnings,
    @Schema(
            ref = "#/components/schemas/GraphDefinition",
            description = "The long form of a valid definition, where it was asked for")
        @Nullable ObjectValue definition) {

  static ValidationBody of(Validation validation, DefinitionForm form) {
    boolean shown = form == DefinitionForm.LONG && validation.errors().isEmpty();
    return new ValidationBody(
        validation.errors().isEmpty(),
        FieldError.of(validation.errors()),
        FieldError.of(validation.warnings()),
        shown ? validation.definition() : null);
  }
}
