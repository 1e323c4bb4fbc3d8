package dev.superstep.schedule;

import java.time.Duration;

/// Handles wake-ups. Called on a thread of the scheduler, so all but [#drain] must be short.
public interface WakeHandler {

  /// The run's wake-up is due.
  ///
  /// @param number the wake number; the run may have moved on since it was scheduled
  /// @param replica under which name this process may own the run
  Handled wake(String run, long number, String replica);

  /// Another replica has died: its runs need a new owner. May be called by several replicas at
  /// once, and again for the same one.
  void replicaDied(String replica);

  /// This process was taken for dead under that name and others own its runs now: drop them.
  void replicaLost(String replica);

  /// The database has another history than the one in which this process worked under that name:
  /// drop what is driven here, and queue what the name owns in this history. Nobody has died. May
  /// be called again for the same one.
  void historyChanged(String replica);

  /// The process is ending: hand back what is driven here, within `atMost`.
  void drain(Duration atMost) throws InterruptedException;

  /// The result of a wake-up.
  enum Handled {
    /// Taken, or not needed any more.
    DONE,
    /// This replica is full: another one may take it, or this one later.
    FULL,
    /// There was room, but another run came first.
    NOT_ITS_TURN,
    /// This replica may not take it, or not now: another one may, or this one later.
    NOT_HERE
  }
}
