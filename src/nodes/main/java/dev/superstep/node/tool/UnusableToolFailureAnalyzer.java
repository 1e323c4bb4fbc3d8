package dev.superstep.node.tool;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Describes an unusable Java tool when the service fails to start.
class UnusableToolFailureAnalyzer extends AbstractFailureAnalyzer<UnusableToolException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, UnusableToolException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
