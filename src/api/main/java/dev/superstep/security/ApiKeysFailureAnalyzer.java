package dev.superstep.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells the operator what is wrong with the API keys, in place of a stack trace.
class ApiKeysFailureAnalyzer extends AbstractFailureAnalyzer<ApiKeysException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, ApiKeysException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
