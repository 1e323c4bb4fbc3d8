package dev.superstep.database;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells the operator what to change, in place of a stack trace.
class UnsuitableServerFailureAnalyzer extends AbstractFailureAnalyzer<UnsuitableServerException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, UnsuitableServerException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
