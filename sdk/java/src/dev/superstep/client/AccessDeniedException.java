package dev.superstep.client;

import dev.superstep.client.model.Problem;
import java.time.Duration;

/// 401, 403: the key is missing, wrong, or may not do this.
public final class AccessDeniedException extends ApiException {
  private static final long serialVersionUID = 1;

  AccessDeniedException(int status, Problem problem, Duration retryAfter) {
    super(status, problem, retryAfter);
  }
}
