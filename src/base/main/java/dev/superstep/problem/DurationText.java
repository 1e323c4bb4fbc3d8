package dev.superstep.problem;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Pattern;

/// Reads and writes durations of requests: `<n>(ms|s|m|h|d)` or ISO 8601.
public final class DurationText {
  private static final Pattern SHORT = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

  private DurationText() {}

  /// Empty for anything else, negative ones included.
  public static Optional<Duration> parse(String text) {
    var match = SHORT.matcher(text);
    try {
      var found =
          match.matches()
              ? of(Long.parseLong(match.group(1)), match.group(2))
              : Duration.parse(text);
      return found.isNegative() ? Optional.empty() : Optional.of(found);
    } catch (DateTimeParseException | ArithmeticException _) {
      return Optional.empty();
    }
  }

  /// The shortest form that loses nothing; ISO 8601 below a millisecond.
  public static String write(Duration duration) {
    if (duration.isNegative() || !duration.equals(duration.truncatedTo(ChronoUnit.MILLIS))) {
      return duration.toString();
    }
    long millis = duration.toMillis();
    if (millis % 1_000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1_000;
    if (seconds % 60 != 0 || seconds == 0) {
      return seconds + "s";
    }
    return seconds % 3_600 == 0 ? seconds / 3_600 + "h" : seconds / 60 + "m";
  }

  private static Duration of(long amount, String unit) {
    return switch (unit) {
      case "ms" -> Duration.ofMillis(amount);
      case "s" -> Duration.ofSeconds(amount);
      case "m" -> Duration.ofMinutes(amount);
      case "h" -> Duration.ofHours(amount);
      default -> Duration.ofDays(amount);
    };
  }
}
