package dev.superstep.secret;

import java.util.List;
import java.util.Optional;

/// Finds out who has started a run.
public interface RunStarters {
  /// A run is stored before its tasks do what somebody could notice.
  ///
  /// @return empty if there is no such run
  Optional<RunStarter> starter(String run) throws InterruptedException;

  /// @param caller who has started it, and all that have begun it
  /// @param runs the run, then the one that has begun it, and so on
  /// @param edited whether the state of one of them was edited, or a task resolved
  record RunStarter(String caller, List<String> runs, boolean edited) {
    public RunStarter {
      runs = List.copyOf(runs);
    }
  }
}
