package dev.superstep.context;

import java.util.Optional;

/// One rule of a [ContextFilter] (P5, S4-12). A rule whose condition is false or fails is skipped.
public sealed interface FilterRule {
  Glob pattern();

  TransformTarget target();

  Optional<ContextCondition> condition();

  record Include(Glob pattern, TransformTarget target, Optional<ContextCondition> condition)
      implements FilterRule {}

  record Exclude(Glob pattern, TransformTarget target, Optional<ContextCondition> condition)
      implements FilterRule {}

  record Transform(
      Glob pattern,
      TransformTarget target,
      Optional<ContextCondition> condition,
      TransformCall call)
      implements FilterRule {}

  /// Includes variables.
  static FilterRule include(String pattern) {
    return new Include(Glob.of(pattern), TransformTarget.VARIABLES, Optional.empty());
  }

  /// Excludes variables.
  static FilterRule exclude(String pattern) {
    return new Exclude(Glob.of(pattern), TransformTarget.VARIABLES, Optional.empty());
  }

  /// Transforms variables.
  static FilterRule transform(String pattern, TransformCall call) {
    return new Transform(Glob.of(pattern), TransformTarget.VARIABLES, Optional.empty(), call);
  }
}
