package dev.superstep.definition;

import dev.superstep.graph.Violation;
import dev.superstep.state.value.ObjectValue;
import java.util.List;

/// The errors and warnings of a definition.
///
/// @param errors empty: it can be posted
/// @param definition in long form, as far as it could be read
public record Validation(List<Violation> errors, List<Violation> warnings, ObjectValue definition) {
  public Validation {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }
}
