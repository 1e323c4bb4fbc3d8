package dev.superstep.definition.type;

import dev.superstep.definition.DefinitionProblem;
import java.util.List;

/// What there is to say about a node beside what makes it unusable; pointers begin at its `config`.
public record Advice(List<DefinitionProblem> errors, List<DefinitionProblem> warnings) {
  public static final Advice NONE = new Advice(List.of(), List.of());

  public Advice {
    errors = List.copyOf(errors);
    warnings = List.copyOf(warnings);
  }
}
