package dev.superstep.client;

import dev.superstep.client.model.Problem;
import java.time.Duration;

/// 404
public final class NotFoundException extends ApiException {
  private static final long serialVersionUID = 1;

  NotFoundException(int status, Problem problem, Duration retryAfter) {
    super(status, problem, retryAfter);
  }
}
