package dev.superstep.json;

import dev.superstep.state.ValueCheck.Mismatch;
import java.util.List;
import java.util.stream.Collectors;

/// A JSON Schema that cannot be used, with everything that is wrong about it.
public final class InvalidSchemaException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final transient List<Mismatch> problems;

  public InvalidSchemaException(List<Mismatch> problems) {
    super(
        problems.stream()
            .map(it -> "'%s': %s".formatted(it.pointer(), it.message()))
            .collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /// At least one; the pointers lead into the schema.
  public List<Mismatch> problems() {
    return problems;
  }
}
