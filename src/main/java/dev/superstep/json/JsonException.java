package dev.superstep.json;

import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;

/// A text that is no supported value, with all its problems.
///
/// It is a Jackson exception, so that Jackson hands it through unchanged when it meets the problem
/// inside a request body; the pointers then lead from the root of that body.
public final class JsonException extends JacksonException {
  private static final long serialVersionUID = 1L;
  private final List<JsonProblem> problems;

  public JsonException(List<JsonProblem> problems) {
    super(problems.stream().map(JsonProblem::toString).collect(Collectors.joining("; ")));
    this.problems = List.copyOf(problems);
  }

  /// In the order of the text; at least one.
  public List<JsonProblem> problems() {
    return problems;
  }
}
