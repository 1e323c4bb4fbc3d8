package dev.superstep.schedule;

import java.time.Duration;

/// A question about its own work that each replica asks the database periodically. Beans of this
/// type are polled on one thread, one after the other, so each must be short. A failure is logged
/// and the poll repeated after the pause; it does not keep the others from being polled.
public interface ReplicaPoll {

  /// The time from the end of one round to the beginning of the next.
  Duration pause();

  /// Runs one round. Is not called while this process has no name.
  ///
  /// @param replica the name under which this process owns its work
  void poll(String replica);
}
