package dev.superstep.run.view;

import java.time.Duration;
import java.util.Optional;

/// A run that was started by this call and is driven by this process: what can be said about it
/// without asking the database. All of it was committed.
public interface RunProgress {

  /// The run when it began.
  RunView inserted();

  /// Waits until the run has left its driver.
  ///
  /// @return the run when it succeeded; empty if it did not, or not yet: ask the database
  Optional<RunView> await(Duration atMost) throws InterruptedException;
}
