package dev.superstep.schedule;

import java.time.Instant;

/// Durable alarm clock of runs. Delivery is at least once: whoever is woken checks the run's row.
public interface WakeUps {

  /// Has some replica look at the run, at `at` or soon after, as part of the current transaction:
  /// if that rolls back, nothing is scheduled.
  ///
  /// @param wake the run's wake number, grown in the same transaction; a number that is already
  ///   scheduled is left as it is
  /// @param at database time; a time that has passed means now
  /// @param priority higher first among those that are due
  void schedule(String run, long wake, Instant at, int priority);
}
