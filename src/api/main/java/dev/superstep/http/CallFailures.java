package dev.superstep.http;

import dev.superstep.problem.ServiceException;
import jakarta.servlet.http.HttpServletRequest;

/// Is told of every call that is answered with an error.
@FunctionalInterface
public interface CallFailures {
  void failed(HttpServletRequest request, ServiceException failure);
}
