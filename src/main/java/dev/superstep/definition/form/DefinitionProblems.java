package dev.superstep.definition.form;

import dev.superstep.definition.DefinitionProblem;
import dev.superstep.json.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong with one definition, in the order in which it is found.
public final class DefinitionProblems {
  /// At most this many errors are reported.
  static final int ERRORS_MAX = 500;

  private final Value document;
  private final List<DefinitionProblem> errors = new ArrayList<>();
  private final List<DefinitionProblem> warnings = new ArrayList<>();

  /// @param document as the author wrote it, where one name may stand for a list of one
  public DefinitionProblems(Value document) {
    this.document = document;
  }

  boolean wroteList(String pointer) {
    return Pointer.find(document, pointer).filter(ListValue.class::isInstance).isPresent();
  }

  void error(DefinitionProblem definitionProblem) {
    if (errors.size() < ERRORS_MAX) {
      errors.add(definitionProblem);
    }
  }

  public void warn(DefinitionProblem definitionProblem) {
    if (warnings.size() < ERRORS_MAX) {
      warnings.add(definitionProblem);
    }
  }

  public List<DefinitionProblem> errors() {
    return List.copyOf(errors);
  }

  public List<DefinitionProblem> warnings() {
    return List.copyOf(warnings);
  }
}
