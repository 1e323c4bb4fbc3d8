package dev.superstep.engine;

import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.checkpoint.LoadedRun;
import dev.superstep.engine.node.CheckpointStore;
import dev.superstep.engine.node.Inbox;
import dev.superstep.engine.node.Ports;
import dev.superstep.engine.run.EngineLimits;
import dev.superstep.engine.run.RunStatus;

/// Drives claimed runs (E10). [#loop] is the heart of the engine: begin reading there.
///
/// The claiming code stores `run.started`, `run.resumed` or `run.taken_over` with the claim; all
/// later events of the run come from here. Node calls are at-least-once, commits are exactly-once.
public final class SuperstepLoop {
  private final Ports ports;
  private final EngineLimits limits;

  public SuperstepLoop(Ports ports, EngineLimits limits) {
    this.ports = ports;
    this.limits = limits;
  }

  /// One that writes to another store.
  public SuperstepLoop through(CheckpointStore store) {
    return new SuperstepLoop(ports.with(store), limits);
  }

  /// Drives a run until it is at rest, parked or handed back, on the calling thread.
  ///
  /// @param inbox only for this run and this claim
  /// @return the status as committed
  /// @throws LeaseLostException if another replica has claimed the run; nothing may be written then
  /// @throws InterruptedException if the thread was interrupted: the run stays as last committed
  public RunStatus drive(Program program, LoadedRun loaded, Inbox inbox)
      throws InterruptedException {
    try (var run = new RunDriver(ports, limits, program, loaded, inbox);
        var _ = run.span().enter()) {
      return loop(run, loaded.checkpoint());
    } finally {
      ports.store().close(loaded.lease());
    }
  }

  /// Plan, run, wait, commit, repeat. At most one superstep is in progress, and its only side
  /// effect is one write to the store.
  private static RunStatus loop(RunDriver run, Checkpoint first) throws InterruptedException {
    var at = first;
    while (true) {
      var tasks = run.plan(at);
      var next = run.restBefore(at, tasks);
      if (next.isEmpty()) {
        try (var superstep = run.superstep(at, tasks)) {
          superstep.deliver();
          while (next.isEmpty()) {
            var stop = superstep.runAndWait();
            next = superstep.commit(stop);
          }
        }
      }
      switch (next.get()) {
        case Next.Continue(var checkpoint) -> at = checkpoint;
        case Next.AtRest(var status) -> {
          return status;
        }
      }
    }
  }
}
