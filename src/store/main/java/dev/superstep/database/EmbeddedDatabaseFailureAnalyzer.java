package dev.superstep.database;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/// Tells the operator what to do if the embedded database does not start, in place of a stack
/// trace.
class EmbeddedDatabaseFailureAnalyzer extends AbstractFailureAnalyzer<EmbeddedDatabaseException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, EmbeddedDatabaseException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
