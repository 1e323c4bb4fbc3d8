package dev.superstep.definition.form;

import dev.superstep.problem.DurationText;
import dev.superstep.state.value.Accessors;
import java.time.Duration;
import java.util.Optional;

/// Reads and writes durations in definitions: `<n>(ms|s|m|h|d)`, such as `250ms` or `5m`, or ISO
/// 8601, such as `PT5M`.
public final class Durations {
  /// More than any run lasts; keeps sums of durations and instants in range.
  public static final Duration MAX = Duration.ofDays(36_525);

  private Durations() {}

  /// The duration, from zero to [#MAX]; empty if the text is none.
  public static Optional<Duration> parse(String text) {
    return DurationText.parse(text).filter(it -> it.compareTo(MAX) <= 0);
  }

  /// The duration at a key whose value has been checked.
  public static Optional<Duration> find(Accessors object, String key) {
    return object.findText(key).flatMap(Durations::parse);
  }
}
