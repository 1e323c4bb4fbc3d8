package dev.superstep.prompt;

import dev.superstep.context.FailedCondition;
import io.swagger.v3.oas.annotations.media.Schema;

/// A condition that failed and therefore counts as false (P5, P10).
@Schema(name = "ContextFailure", description = "A condition that failed and counts as false")
public record ContextFailure(
    @Schema(description = "Where it stands in its filter", example = "/rules/0/condition")
        String rule,
    @Schema(example = "context.priority === 'high'") String condition,
    @Schema(description = "Why it failed") String message) {

  public static ContextFailure of(FailedCondition failure) {
    return new ContextFailure(failure.rule(), failure.condition(), failure.message());
  }
}
