package dev.superstep.security;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

class MissingApiKeysFailureAnalyzer extends AbstractFailureAnalyzer<MissingApiKeysException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, MissingApiKeysException cause) {
    return new FailureAnalysis(
        cause.getMessage(),
        "Set SUPERSTEP_API_KEYS to one or more keys, separated by commas.",
        cause);
  }
}
