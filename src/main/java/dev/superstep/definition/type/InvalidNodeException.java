package dev.superstep.definition.type;

import dev.superstep.definition.DefinitionProblem;
import java.util.List;

/// Everything that is wrong with the `config` of one node.
public final class InvalidNodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<DefinitionProblem> definitionProblems;

  /// @param definitionProblems at least one; their pointers are relative to `config`
  public InvalidNodeException(List<DefinitionProblem> definitionProblems) {
    super("invalid node configuration: " + definitionProblems);
    this.definitionProblems = List.copyOf(definitionProblems);
  }

  public List<DefinitionProblem> problems() {
    return definitionProblems;
  }
}
