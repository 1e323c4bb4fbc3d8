package dev.superstep.node;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.regex.Pattern;

/// The form of durations in definitions and node results: `<n>(ms|s|m|h|d)` or ISO 8601.
public final class DurationText {
  /// A century: keeps sums of instants and durations in range.
  private static final Duration MAX = Duration.ofDays(36_525);

  private static final Pattern SHORT = Pattern.compile("([0-9]{1,12})(ms|s|m|h|d)");

  private DurationText() {}

  /// The duration, from zero to a century; empty if `text` is none.
  public static Optional<Duration> parse(String text) {
    var matcher = SHORT.matcher(text);
    var found =
        matcher.matches()
            ? Optional.of(of(Long.parseLong(matcher.group(1)), matcher.group(2)))
            : iso(text);
    return found.filter(it -> !it.isNegative() && it.compareTo(MAX) <= 0);
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

  private static Optional<Duration> iso(String text) {
    try {
      return Optional.of(Duration.parse(text));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }
}
