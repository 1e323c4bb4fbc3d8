package dev.superstep.prompt;

import dev.superstep.context.TraceStep;

/// The effect of one stage on one item (P17).
record ContextStep(String stage, String source, String action, String rule, String because) {

  static ContextStep of(TraceStep traceStep) {
    return new ContextStep(
        traceStep.stage().key(),
        traceStep.source(),
        traceStep.action().key(),
        traceStep.rule(),
        traceStep.because());
  }
}
