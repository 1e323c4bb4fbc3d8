package dev.superstep.definition.type;

import dev.superstep.graph.Violation;
import java.util.List;

/// Everything that is wrong with the `config` of one node.
public final class InvalidNodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<Violation> violations;

  /// @param violations at least one; their pointers are relative to `config`
  public InvalidNodeException(List<Violation> violations) {
    super("invalid node configuration: " + violations);
    this.violations = List.copyOf(violations);
  }

  public List<Violation> problems() {
    return violations;
  }
}
