package dev.superstep.definition;

import java.util.List;

/// Everything that is wrong with the `config` of one node.
public final class InvalidNodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<Problem> problems;

  /// @param problems at least one; their pointers are relative to `config`
  public InvalidNodeException(List<Problem> problems) {
    super("invalid node configuration: " + problems);
    this.problems = List.copyOf(problems);
  }

  public List<Problem> problems() {
    return problems;
  }
}
