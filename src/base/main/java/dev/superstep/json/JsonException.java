package dev.superstep.json;

import dev.superstep.graph.Violation;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/// A text that is no supported value, with all its problems.
///
/// It is a Jackson exception, so that Jackson hands it through unchanged when it meets the problem
/// inside a request body; the pointers then lead from the root of that body.
public final class JsonException extends JacksonException {
  private static final long serialVersionUID = 1L;
  private final List<Violation> problems;

  public JsonException(List<Violation> problems) {
    super(problems.stream().map(JsonException::describe).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /// In the order of the text; at least one.
  public List<Violation> problems() {
    return problems;
  }

  private static String describe(Violation problem) {
    return "%s at '%s' (line %d, column %d): %s"
        .formatted(
            problem.code(), problem.pointer(), problem.line(), problem.column(), problem.message());
  }
}
