package dev.superstep.definition;

import java.util.List;

/// The errors and warnings of a definition.
///
/// @param errors empty: it can be posted
public record Validation(List<DefinitionProblem> errors, List<DefinitionProblem> warnings) {
  public Validation {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }
}
