package dev.superstep.run;

import dev.superstep.state.value.ObjectValue;
import java.time.Duration;
import java.util.Optional;

/// Follows a run that was started or answered by this call and is driven by this process, without
/// querying the database. It shows only what was committed.
public interface RunProgress {

  /// The run when it began, or went on.
  RunView initial();

  /// Waits until the run has left its driver.
  ///
  /// @return the run when it succeeded, or asked one question; empty if it did neither, or not yet:
  ///   ask the database
  Optional<RunView> await(Duration atMost) throws InterruptedException;

  /// Waits likewise.
  ///
  /// @return the state of the run when it succeeded
  Optional<ObjectValue> awaitState(Duration atMost) throws InterruptedException;
}
