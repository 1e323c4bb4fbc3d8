package dev.superstep.engine.checkpoint;

import dev.superstep.engine.run.Lease;
import dev.superstep.engine.run.RunHead;
import dev.superstep.engine.run.RunHeader;
import dev.superstep.engine.run.RunSignals;
import dev.superstep.engine.run.RunStatus;
import dev.superstep.graph.Breakpoints;
import dev.superstep.graph.Limits;

/// A claimed run as loaded from the database: all a driver needs to continue it.
///
/// @param checkpoint the last one, with recorded outcomes in its held records
/// @param limits of the run, over those of the graph
/// @param breakpoints of the run; they replace those of the graph if given
/// @param head as last written
/// @param releasedThrough failures recorded in checkpoints up to this number are to be tried again:
///   a `resume` call said so; -1: none (E34)
public record LoadedRun(
    RunHeader header,
    Lease lease,
    Checkpoint checkpoint,
    Limits limits,
    Breakpoints breakpoints,
    RunHead head,
    RunSignals signals,
    int releasedThrough) {

  /// Has the status from before its claim, which has overwritten it.
  public LoadedRun with(RunStatus before) {
    var runHead =
        new RunHead(
            before,
            head.superstep(),
            head.error(),
            head.breakpoint(),
            head.wakesAt(),
            head.passed(),
            head.elapsed());
    return new LoadedRun(
        header, lease, checkpoint, limits, breakpoints, runHead, signals, releasedThrough);
  }
}
