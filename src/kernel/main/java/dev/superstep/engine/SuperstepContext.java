package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.node.ChildRuns;
import dev.superstep.engine.node.RunObserver;
import dev.superstep.engine.node.Span;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.graph.Limits;
import java.time.InstantSource;

/// What all tasks of one superstep share: the run, the frozen checkpoint, the environment.
///
/// @param limits in force: of the run, over those of the graph
record SuperstepContext(
    RunHeader run, Program program, Checkpoint at, Limits limits, Environment environment) {

  /// @param observer receives live events while tasks run
  /// @param span of the superstep
  /// @param children prepares the runs that tasks begin
  public record Environment(
      InstantSource clock, RunObserver observer, Span span, ChildRuns children) {
    public static Environment of(InstantSource clock) {
      return new Environment(clock, RunObserver.NONE, Span.NONE, ChildRuns.NONE);
    }
  }

  /// The superstep being executed.
  public int superstep() {
    return at.superstep() + 1;
  }

  public InstantSource clock() {
    return environment.clock();
  }
}
