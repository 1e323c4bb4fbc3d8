package dev.superstep.client;

import dev.superstep.client.model.Problem;
import java.time.Duration;

/// 400, 405, 406, 413, 415, 422: the request is wrong; `violations()` say where.
public final class InvalidRequestException extends ApiException {
  private static final long serialVersionUID = 1;

  InvalidRequestException(int status, Problem problem, Duration retryAfter) {
    super(status, problem, retryAfter);
  }
}
