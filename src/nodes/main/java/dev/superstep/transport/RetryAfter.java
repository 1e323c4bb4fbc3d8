package dev.superstep.transport;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the header `Retry-After` (RFC 9110, 10.2.3): seconds or a date. Some providers of models
/// send fractions of seconds, which the RFC does not know.
public final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,18}(\\.[0-9]{1,9})?");

  private RetryAfter() {}

  /// The pause it asks for, at most `max`; empty if it is absent, cannot be read or lies in the
  /// past.
  public static Optional<Duration> parse(@Nullable String header, Instant now, Duration max) {
    if (header == null) {
      return Optional.empty();
    }
    var text = header.strip();
    return (SECONDS.matcher(text).matches()
            ? Optional.of(seconds(text))
            : date(text).map(it -> Duration.between(now, it)))
        .filter(Duration::isPositive)
        .map(it -> it.compareTo(max) > 0 ? max : it);
  }

  /// The same by the clock of the server that has answered.
  ///
  /// @param date its header `Date`; a date in `header` says nothing without it
  public static Optional<Duration> parse(
      @Nullable String header, @Nullable String date, Duration max) {
    var now = Optional.ofNullable(date).map(String::strip).flatMap(RetryAfter::date);
    return parse(header, now.orElse(Instant.MAX), max);
  }

  /// Rounded up to milliseconds; large numbers end at [Long#MAX_VALUE] of them.
  private static Duration seconds(String text) {
    return Duration.ofMillis((long) Math.ceil(Double.parseDouble(text) * 1_000));
  }

  private static Optional<Instant> date(String text) {
    try {
      return Optional.of(Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text)));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
