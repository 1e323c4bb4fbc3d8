package dev.superstep.schedule;

import java.time.Instant;

/// A wake-up of one run.
///
/// @param number the run's wake number, grown in the transaction that makes the run runnable. A
///   plain run id would not do: scheduling it again while the execution that just ended still has
///   its row would be lost.
/// @param at database time; a time that has passed means now
/// @param priority higher first among those that are due
public record Wake(String run, long number, Instant at, int priority) {

  /// The name under which it is scheduled. The number stands behind the last slash: ids of runs may
  /// have one.
  public String instance() {
    return run + "/" + number;
  }

  public static Wake parse(String instance) {
    int slash = instance.lastIndexOf('/');
    return new Wake(
        instance.substring(0, slash),
        Long.parseLong(instance.substring(slash + 1)),
        Instant.EPOCH,
        0);
  }
}
