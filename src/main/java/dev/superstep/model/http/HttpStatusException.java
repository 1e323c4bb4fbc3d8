package dev.superstep.model.http;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// A provider answered with a status that is no success.
public final class HttpStatusException extends IOException {
  private static final long serialVersionUID = 1L;
  private final int status;
  private final String body;
  private final transient Optional<Duration> retryAfter;

  /// @param body its beginning
  public HttpStatusException(int status, String body, Optional<Duration> retryAfter) {
    super("status " + status);
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }

  public int status() {
    return status;
  }

  public String body() {
    return body;
  }

  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
