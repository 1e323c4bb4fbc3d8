package dev.superstep.client;

import dev.superstep.client.model.Problem;
import java.time.Duration;

/// 409: the state of the resource forbids it, as `thread_busy`.
public final class ConflictException extends ApiException {
  private static final long serialVersionUID = 1;

  ConflictException(int status, Problem problem, Duration retryAfter) {
    super(status, problem, retryAfter);
  }
}
