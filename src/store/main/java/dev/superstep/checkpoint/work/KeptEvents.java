package dev.superstep.checkpoint.work;

/// Gives a task that begins to wait for an event one that has come before (E50).
public interface KeptEvents {
  /// The row of the task is on disk: what comes from here on finds it.
  ///
  /// @param task id of its row
  void deliverTo(String task);

  /// The time of a task is over. Gives it what came in time and was not delivered, if anything; one
  /// that waits for no event is left as it is.
  void deliverLateTo(String task);
}
