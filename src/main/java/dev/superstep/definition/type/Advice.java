package dev.superstep.definition.type;

import dev.superstep.definition.DefinitionProblem;
import java.util.List;

/// Warnings about a usable node; pointers begin at its `config`.
public record Advice(List<DefinitionProblem> errors, List<DefinitionProblem> warnings) {
  public static final Advice NONE = new Advice(List.of(), List.of());

  public Advice {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }
}
