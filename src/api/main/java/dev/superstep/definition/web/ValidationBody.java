package dev.superstep.definition.web;

import dev.superstep.definition.Validation;
import dev.superstep.problem.FieldError;
import dev.superstep.state.value.ObjectValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The result of validating a definition.
record ValidationBody(
    boolean valid,
    List<FieldError> errors,
    List<FieldError> warnings,
    @Schema(ref = "#/components/schemas/GraphDefinition") @Nullable ObjectValue definition) {

  static ValidationBody of(Validation validation, DefinitionForm form) {
    boolean shown = form == DefinitionForm.LONG && validation.errors().isEmpty();
    return new ValidationBody(
        validation.errors().isEmpty(),
        FieldError.of(validation.errors()),
        FieldError.of(validation.warnings()),
        shown ? validation.definition() : null);
  }
}
