package dev.superstep.engine;

import dev.superstep.graph.Limits;
import java.time.InstantSource;

/// What all tasks of one superstep share: the run, the frozen checkpoint, the world outside.
///
/// @param limits in force: of the run, over those of the graph
record Frame(RunHeader run, Program program, Checkpoint at, Limits limits, Outside outside) {

  /// @param observer is told while tasks run
  /// @param span of the superstep
  record Outside(InstantSource clock, RunObserver observer, Span span) {
    static Outside of(InstantSource clock) {
      return new Outside(clock, RunObserver.NONE, Span.NONE);
    }
  }

  /// The superstep being executed.
  int superstep() {
    return at.superstep() + 1;
  }

  InstantSource clock() {
    return outside.clock();
  }
}
