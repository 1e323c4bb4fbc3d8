package dev.superstep.definition;

import dev.superstep.violation.Violation;
import java.util.List;

/// The errors and warnings of a definition.
///
/// @param errors empty: it can be posted
public record Validation(List<Violation> errors, List<Violation> warnings) {
  public Validation {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }
}
