package dev.superstep.prompt;

import dev.superstep.context.TraceStep;
import io.swagger.v3.oas.annotations.media.Schema;

/// The effect of one stage on one item (P17).
@Schema(name = "ContextStep", description = "What one stage did to one item")
record ContextStep(
    @Schema(allowableValues = {"edge", "type", "processor", "filter", "default_filter"})
        String stage,
    @Schema(description = "Id of the edge or node", example = "edge_1") String source,
    @Schema(allowableValues = {"kept", "dropped", "transformed", "renamed", "added"}) String action,
    @Schema(
            description =
                "The rule that decided: a pointer into the filter, or the name of the context type",
            example = "/rules/2")
        String rule,
    @Schema(description = "The same in words", example = "exclude tool.*") String because) {

  static ContextStep of(TraceStep traceStep) {
    return new ContextStep(
        traceStep.stage().key(),
        traceStep.source(),
        traceStep.action().key(),
        traceStep.rule(),
        traceStep.because());
  }
}
