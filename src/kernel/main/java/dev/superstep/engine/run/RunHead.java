package dev.superstep.engine.run;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What the driver writes on the run's head row with a commit.
///
/// With any status but `RUNNING` the driver gives the run up: the store clears the owner. `QUEUED`
/// hands it back (drain): the store schedules it at once.
///
/// @param superstep shown as the run's superstep; the number of `__end__` once it succeeded (E13)
/// @param wakesAt when to claim the run again without a request; only for runs at rest or waiting
/// @param passed breakpoints already passed between two supersteps
/// @param elapsed counted towards the run's time-out so far (E15); for `WAITING`, its value at
///   `wakesAt`
public record RunHead(
    RunStatus status,
    int superstep,
    Optional<RunError> error,
    Optional<Breakpoint> breakpoint,
    Optional<Instant> wakesAt,
    Passed passed,
    Duration elapsed) {

  /// @param when `before` or `after`; [#PAUSE]: a call has paused the run
  /// @param nodes for a pause, those that it goes on with
  public record Breakpoint(String when, List<String> nodes) {
    public static final String PAUSE = "pause";

    public boolean isPause() {
      return when.equals(PAUSE);
    }
  }

  /// @param superstep the committed superstep behind which breakpoints were passed; -1: none
  public record Passed(int superstep, boolean after, boolean before) {
    public static final Passed NONE = new Passed(-1, false, false);
  }
}
