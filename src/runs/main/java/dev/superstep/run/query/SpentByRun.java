package dev.superstep.run.query;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.Spending;
import dev.superstep.problem.ServiceException;
import dev.superstep.run.RunSummary;
import dev.superstep.run.store.HeldTasks;
import dev.superstep.run.store.RunFinder;
import java.util.Optional;
import org.springframework.stereotype.Component;

/// Sums what runs have spent on models, as far as it is stored: in committed supersteps, and in
/// tasks of the open one.
@Component
public class SpentByRun {
  private final Checkpoints checkpoints;
  private final HeldTasks held;
  private final RunFinder runFinder;

  SpentByRun(Checkpoints checkpoints, HeldTasks held, RunFinder runFinder) {
    this.checkpoints = checkpoints;
    this.held = held;
    this.runFinder = runFinder;
  }

  /// Costs nothing for runs of graphs that call no models.
  public Spending of(RunSummary run) {
    return maySpend(run)
        ? of(run.id(), run.standing().checkpoint(), run.standing().superstep())
        : Spending.NOTHING;
  }

  /// @param checkpoint number of the last checkpoint
  /// @param superstep the last committed one
  public Spending of(String run, int checkpoint, int superstep) {
    Optional<Pending> pending = checkpoints.pendingBefore(run, checkpoint + 1);
    return TaskRecord.spending(
        pending.map(Pending::spent).orElse(Spending.NOTHING), held.of(run, superstep).values());
  }

  private boolean maySpend(RunSummary run) {
    try {
      return runFinder.graph(run).program().spends();
    } catch (ServiceException e) {
      return true; // this server cannot run the graph; its runs can still be read
    }
  }
}
