package dev.superstep.engine;

import dev.superstep.graph.Limits;
import java.time.InstantSource;

/// What all tasks of one superstep share: the run, the frozen checkpoint, the clock.
///
/// @param limits in force: of the run, over those of the graph
record Frame(RunHeader run, Program program, Checkpoint at, Limits limits, InstantSource clock) {

  /// The superstep being executed.
  int superstep() {
    return at.superstep() + 1;
  }
}
