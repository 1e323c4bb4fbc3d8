package dev.superstep.run;

import dev.superstep.checkpoint.Checkpoints;
import dev.superstep.engine.Pending;
import dev.superstep.engine.Spending;
import dev.superstep.engine.TaskRecord;
import dev.superstep.problem.ServiceException;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// What runs have spent on models, as far as the database knows: by committed supersteps, and by
/// tasks of the one that is open.
@Component
class SpentByRun {
  private final Checkpoints checkpoints;
  private final HeldTasks held;
  private final Lookups lookups;

  SpentByRun(Checkpoints checkpoints, HeldTasks held, Lookups lookups) {
    this.checkpoints = checkpoints;
    this.held = held;
    this.lookups = lookups;
  }

  /// Costs nothing for runs of graphs that call no models.
  Spending of(RunSummary run) {
    return maySpend(run)
        ? of(run.id(), run.standing().checkpoint(), run.standing().superstep())
        : Spending.NOTHING;
  }

  /// @param checkpoint number of the last one
  /// @param superstep the last committed one
  Spending of(String run, int checkpoint, int superstep) {
    Optional<Pending> pending = checkpoints.pendingBefore(run, checkpoint + 1);
    return TaskRecord.spending(
        pending.map(Pending::spent).orElse(Spending.NOTHING), held.of(run, superstep).values());
  }

  private boolean maySpend(RunSummary run) {
    try {
      return lookups.graph(run).program().spends();
    } catch (ServiceException e) {
      return true; // this server cannot run the graph; its runs can still be looked at
    }
  }
}
