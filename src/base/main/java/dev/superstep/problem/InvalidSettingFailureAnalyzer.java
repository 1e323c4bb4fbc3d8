package dev.superstep.problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/// Describes an invalid setting at start. Ordered first, because Spring Boot's own analyzer of
/// bindings would name the constructor.
@Order(Ordered.HIGHEST_PRECEDENCE)
class InvalidSettingFailureAnalyzer extends AbstractFailureAnalyzer<InvalidSettingException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, InvalidSettingException cause) {
    return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
  }
}
