package dev.superstep.schedule;

import java.util.Optional;

/// This process as a member of the cluster.
public interface Replica {
  /// SQL: whether the replica named by the expression is a member, that is, not removed as dead. An
  /// owner removed while a statement with this condition runs is found by the reconciler.
  static String isMember(String name) {
    return "exists (select from scheduled_duties where task_name = 'replica' and task_instance = "
        + name
        + ")";
  }

  /// The name under which runs are owned. Empty at start, after the replica was taken for dead, and
  /// while the database has not confirmed it for longer than the lease; no work may begin then.
  Optional<String> id();

  /// The name while it may also take on new runs: the replica is not full, and not about to end.
  Optional<String> taking();

  /// Whether the process is about to end.
  boolean leaving();

  /// Stops polling for due wake-ups: there is no room.
  void pauseClaims();

  /// Polls for due wake-ups again.
  void resumeClaims();
}
