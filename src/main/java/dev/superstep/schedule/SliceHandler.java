package dev.superstep.schedule;

/// Who executes slices. Called on a thread of the scheduler, so all of it must be short.
public interface SliceHandler {

  /// Slices are waiting for somebody to execute them.
  ///
  /// @return `FULL` if this process is at work on them already, or has no room: another one may
  ///   come
  WakeHandler.Handled wake(SliceWake wake);
}
