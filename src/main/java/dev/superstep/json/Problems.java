package dev.superstep.json;

import java.util.ArrayList;
import java.util.List;

/// Gathers what is wrong with one text.
final class Problems {
  private final List<JsonProblem> found = new ArrayList<>();
  private final JsonLimits limits;

  Problems(JsonLimits limits) {
    this.limits = limits;
  }

  JsonLimits limits() {
    return limits;
  }

  /// @throws JsonException when there are enough of them
  void add(JsonProblem problem) {
    found.add(problem);
    if (found.size() >= limits.problemsMax()) {
      throw new JsonException(found);
    }
  }

  /// The exception for a problem behind which nothing can be read.
  JsonException fatal(JsonProblem problem) {
    found.add(problem);
    return new JsonException(found);
  }

  void throwIfAny() {
    if (!found.isEmpty()) {
      throw new JsonException(found);
    }
  }
}
