package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.run.RunStatus;

/// What follows a superstep, or an attempt to bring the run to rest.
sealed interface Next {

  /// The next superstep is planned from this checkpoint.
  record Continue(Checkpoint at) implements Next {}

  /// The driver ends: the run is at rest, parked or handed back.
  record AtRest(RunStatus status) implements Next {}
}
