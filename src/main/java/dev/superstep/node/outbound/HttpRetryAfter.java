package dev.superstep.node.outbound;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads the header `Retry-After` (RFC 9110, 10.2.3): seconds or a date.
final class HttpRetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}");

  private HttpRetryAfter() {}

  /// The pause it asks for, at most `max`; empty if it cannot be read or lies in the past.
  static Optional<Duration> parse(String header, Instant now, Duration max) {
    var text = header.strip();
    return (SECONDS.matcher(text).matches()
            ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
            : date(text).map(it -> Duration.between(now, it)))
        .filter(Duration::isPositive)
        .map(it -> it.compareTo(max) > 0 ? max : it);
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
