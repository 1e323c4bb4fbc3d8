package dev.superstep.model.http;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads a provider's `Retry-After`, in seconds or as a date (RFC 9110, 10.2.3).
public final class ModelRetryAfter {
  /// The longest pause that a provider can ask for.
  static final Duration MAX = Duration.ofHours(1);

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");

  private ModelRetryAfter() {}

  public static Optional<Duration> parse(@Nullable String header, Instant now) {
    if (header == null) {
      return Optional.empty();
    }
    var text = header.strip();
    var pause =
        SECONDS.matcher(text).matches()
            ? Optional.of(Duration.ofMillis((long) Math.ceil(Double.parseDouble(text) * 1_000)))
            : date(text).map(it -> Duration.between(now, it));
    return pause.filter(Duration::isPositive).map(it -> it.compareTo(MAX) < 0 ? it : MAX);
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(
          ZonedDateTime.parse(text, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
