package dev.superstep.run.web;

import dev.superstep.problem.Query;
import java.util.Locale;
import java.util.Set;

/// What a client wants with each `superstep.committed`, so that it need not request the checkpoint.
enum Contents {
  CHANGES,
  STATE;

  private static final String PARAMETER = "with";

  private String apiName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Reads `with`, a list with commas, which may be repeated.
  public static Set<Contents> of(Query query) {
    return query.listOf(PARAMETER, values(), Contents::apiName);
  }
}
