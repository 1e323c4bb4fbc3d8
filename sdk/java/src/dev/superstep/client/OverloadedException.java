package dev.superstep.client;

import dev.superstep.client.model.Problem;
import java.time.Duration;

/// 408, 429, 502, 503, 504: too slow, too much at a time, or away, however often it was asked.
public final class OverloadedException extends ApiException {
  private static final long serialVersionUID = 1;

  OverloadedException(int status, Problem problem, Duration retryAfter) {
    super(status, problem, retryAfter);
  }
}
