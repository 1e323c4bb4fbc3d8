package dev.superstep.schedule;

import java.util.Optional;

/// This process as a member of the cluster.
///
/// A statement that may take effect only while a replica is a member has the condition `exists
/// (select from replica where name = …)`. The view `replica` is a part of this port: a name is in
/// it before its process may own anything, until the name is removed as that of a dead replica. It
/// is read in the snapshot of the statement; an owner that is removed while the statement runs is
/// found by the reconciler.
public interface Replica {
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

  /// Polls for due wake-ups now, not only after the usual pause.
  void pollDueRuns();
}
