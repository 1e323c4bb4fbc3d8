package dev.superstep.model;

import java.time.Duration;
import java.util.Optional;

/// A failure that a script asks for.
final class ScriptedException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private final int status;
  private final transient Optional<Duration> retryAfter;

  ScriptedException(int status, String message, Optional<Duration> retryAfter) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }

  public int status() {
    return status;
  }

  public Optional<Duration> retryAfter() {
    return retryAfter;
  }
}
