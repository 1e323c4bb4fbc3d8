package dev.superstep.definition;

import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// When runs are started by themselves.
///
/// @param jitter by how much each start may be later, so that many schedules of one time spread
public record RunTiming(CronTimes times, Duration jitter, Overlap overlap, CatchUp catchUp) {
  public static final Duration JITTER_MAX = Duration.ofHours(24);

  /// What happens at a time at which a run of the schedule has not ended.
  public enum Overlap {
    /// No run starts.
    SKIP,
    /// The next run starts once the one before has ended.
    QUEUE,
    /// The one before is cancelled, and the next one starts once it has ended.
    CANCEL_OLD,
    /// The next run starts beside it.
    ALLOW;

    /// As requests write it.
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Overlap> find(String text) {
      return Stream.of(values()).filter(it -> it.text().equals(text)).findFirst();
    }
  }

  /// What becomes of the times at which no replica was there to start a run.
  public enum CatchUp {
    NONE,
    /// A run starts for the last of them.
    LAST,
    /// A run starts for each of them, up to a bound.
    ALL;

    /// As requests write it.
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<CatchUp> find(String text) {
      return Stream.of(values()).filter(it -> it.text().equals(text)).findFirst();
    }
  }
}
