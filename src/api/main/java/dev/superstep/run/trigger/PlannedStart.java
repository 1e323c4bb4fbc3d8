package dev.superstep.run.trigger;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/// What became of a time of a schedule.
///
/// @param run that was started
/// @param reason why it was missed
public record PlannedStart(
    Instant plannedAt,
    StartStatus status,
    Optional<String> run,
    Optional<MissReason> reason,
    Instant decidedAt) {

  /// How far it is.
  public enum StartStatus {
    WAITING,
    STARTED,
    MISSED;

    /// As rows and answers have it.
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// @param why `outage`, `overlap`, `queue_full`, `paused`, or the code of an error
  public record MissReason(String why, String detail) {
    static final String OUTAGE = "outage";
    static final String OVERLAP = "overlap";
    static final String PAUSED = "paused";
    static final String QUEUE_FULL = "queue_full";
  }

  static PlannedStart waiting(Instant planned, Instant now) {
    return new PlannedStart(planned, StartStatus.WAITING, Optional.empty(), Optional.empty(), now);
  }

  static PlannedStart missed(Instant planned, Instant now, MissReason why) {
    return new PlannedStart(planned, StartStatus.MISSED, Optional.empty(), Optional.of(why), now);
  }
}
