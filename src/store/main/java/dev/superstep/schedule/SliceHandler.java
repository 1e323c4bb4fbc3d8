package dev.superstep.schedule;

/// Executes slices. Called on a thread of the scheduler, so all of it must be short.
public interface SliceHandler {

  /// Slices are waiting to be executed.
  ///
  /// @return `FULL` if this process works on them already, or has no room: another one may take
  ///   them
  WakeHandler.Handled wake(SliceWake wake);
}
