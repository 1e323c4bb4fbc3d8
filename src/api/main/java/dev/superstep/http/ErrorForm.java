package dev.superstep.http;

import dev.superstep.problem.ServiceException;
import jakarta.servlet.http.HttpServletRequest;

/// Errors of calls whose clients do not read problem documents.
public interface ErrorForm {
  /// Whether this call is one of them.
  boolean covers(HttpServletRequest request);

  /// What the answer has as JSON, in place of a problem document.
  Object body(ServiceException failure);
}
