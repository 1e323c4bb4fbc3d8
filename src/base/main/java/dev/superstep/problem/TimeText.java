package dev.superstep.problem;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/// Reads and writes times of requests: RFC 3339, in the years that the database and RFC 3339 both
/// know.
public final class TimeText {
  private static final Instant MIN = Instant.parse("1970-01-01T00:00:00Z");
  private static final Instant MAX = Instant.parse("9999-12-31T23:59:59.999999999Z");

  private TimeText() {}

  /// Empty for anything else.
  public static Optional<Instant> parse(String text) {
    try {
      return Optional.of(Instant.parse(text)).filter(it -> !it.isBefore(MIN) && !it.isAfter(MAX));
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }
}
