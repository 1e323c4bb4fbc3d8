package dev.superstep.schedule;

import java.util.Optional;

/// This process as a member of the cluster.
public interface Replica {

  /// The name under which runs are owned. Empty while there is none: at start, after it was taken
  /// for dead, and while the database has not confirmed it for longer than the lease; no work may
  /// begin then.
  Optional<String> id();

  /// Stops asking for due wake-ups: there is no room.
  void pauseClaims();

  /// Asks for due wake-ups again.
  void resumeClaims();
}
