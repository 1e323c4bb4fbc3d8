package dev.superstep.json;

import dev.superstep.graph.Violation;
import java.util.ArrayList;
import java.util.List;

/// Collects the problems of one text.
final class JsonProblems {
  private final List<Violation> found = new ArrayList<>();
  private final JsonLimits limits;

  public JsonProblems(JsonLimits limits) {
    this.limits = limits;
  }

  public JsonLimits limits() {
    return limits;
  }

  /// @throws JsonException when there are enough of them
  public void add(Violation problem) {
    found.add(problem);
    if (found.size() >= limits.problemsMax()) {
      throw new JsonException(found);
    }
  }

  /// The exception for a problem behind which nothing can be read.
  public JsonException fatal(Violation problem) {
    found.add(problem);
    return new JsonException(found);
  }

  public void throwIfAny() {
    if (!found.isEmpty()) {
      throw new JsonException(found);
    }
  }
}
