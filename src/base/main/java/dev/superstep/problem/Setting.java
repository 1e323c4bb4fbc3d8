package dev.superstep.problem;

import java.time.Duration;
import java.util.Locale;
import org.springframework.util.unit.DataSize;

/// A setting by the name of its property, to check what it is set to: a value that nothing can work
/// with must stop the start, not the first run.
///
/// @param variable as `docs/configuration.md` writes it
public record Setting(String property, String variable) {
  private static final DataSize SIZE_MAX = DataSize.ofGigabytes(1);

  public Setting(String property) {
    this(property, property.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT));
  }

  /// @throws InvalidSettingException unless `min` ≤ `value` ≤ `max`
  public void within(long min, long max, long value) {
    if (value < min || value > max) {
      throw invalid("is %d; it must be from %d to %d".formatted(value, min, max));
    }
  }

  /// @throws InvalidSettingException unless `min` ≤ `value` ≤ `max`
  public void within(Duration min, Duration max, Duration value) {
    if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
      throw invalid("is %s; it must be from %s to %s".formatted(text(value), text(min), text(max)));
    }
  }

  /// @throws InvalidSettingException unless there is at least a byte, and at most 1 GB
  public void size(DataSize value) {
    if (value.toBytes() < 1 || value.toBytes() > SIZE_MAX.toBytes()) {
      throw invalid("is %s; it must be from 1B to 1GB".formatted(value));
    }
  }

  private static String text(Duration duration) {
    return duration.toMillis() % 1_000 == 0
        ? duration.toSeconds() + "s"
        : duration.toMillis() + "ms";
  }

  /// @param complaint follows the name of the property; never a secret
  public InvalidSettingException invalid(String complaint) {
    return new InvalidSettingException(
        "The setting %s (%s) %s.".formatted(property, variable(), complaint),
        "Set %s or --%s=… to such a value, or leave it out.".formatted(variable(), property));
  }
}
