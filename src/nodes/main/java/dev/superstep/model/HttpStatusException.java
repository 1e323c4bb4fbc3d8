package dev.superstep.model;

import dev.superstep.transport.RetryAfter;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A provider answered with a status that is no success.
final class HttpStatusException extends IOException {
  private static final long serialVersionUID = 1L;

  /// The longest pause that a provider can ask for.
  private static final Duration PAUSE_MAX = Duration.ofHours(1);

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

  /// @param retryAfter the header of that name
  /// @param date the header of that name, by which a date in `retryAfter` is understood
  public static HttpStatusException answered(
      int status, String body, @Nullable String retryAfter, @Nullable String date) {
    return new HttpStatusException(status, body, RetryAfter.parse(retryAfter, date, PAUSE_MAX));
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
