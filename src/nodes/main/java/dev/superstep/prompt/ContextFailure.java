package dev.superstep.prompt;

import dev.superstep.context.FailedCondition;

/// A condition that failed and therefore counts as false (P5, P10).
public record ContextFailure(String rule, String condition, String message) {

  public static ContextFailure of(FailedCondition failure) {
    return new ContextFailure(failure.rule(), failure.condition(), failure.message());
  }
}
