package dev.superstep.run.query;

import dev.superstep.checkpoint.row.Checkpoints;
import dev.superstep.engine.Planner;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.run.RunSummary;
import dev.superstep.run.TaskView;
import dev.superstep.run.store.EditCounts;
import dev.superstep.run.store.HeldTasks;
import dev.superstep.run.store.RunFinder;
import dev.superstep.state.Channels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Component;

/// Reads the tasks of the superstep that a run has not committed yet, as far as they are stored.
@Component
class OpenSuperstep {
  private static final Pending NOTHING = new Pending(List.of(), Map.of(), false, 0);

  private static final Graph UNKNOWN =
      new Graph(Channels.none(), List.of(), List.of(), Graph.GraphSettings.DEFAULT);

  private final Checkpoints checkpoints;
  private final HeldTasks held;
  private final RunFinder runFinder;
  private final EditCounts editCounts;

  OpenSuperstep(
      Checkpoints checkpoints, HeldTasks held, RunFinder runFinder, EditCounts editCounts) {
    this.checkpoints = checkpoints;
    this.held = held;
    this.runFinder = runFinder;
    this.editCounts = editCounts;
  }

  /// Task order; without those that have not been started while the run is at rest.
  List<TaskView> tasks(RunSummary run) {
    var standing = run.standing();
    var committed = standing.superstep();
    var pending = checkpoints.pendingBefore(run.id(), standing.checkpoint() + 1).orElse(NOTHING);
    var keyed = editCounts.of(run.id()).behind(committed);
    var views = new TaskViews(standing.status(), pending, keyed);
    var known = held.of(run.id(), committed);
    var tasks = new ArrayList<TaskView>();
    for (var key : keys(run, pending, committed + 1)) {
      var record = known.remove(key);
      if (record != null) {
        tasks.add(views.view(record));
      } else if (isDriven(run)) {
        tasks.add(views.running(key));
      }
    }
    known.values().forEach(it -> tasks.add(views.view(it)));
    return tasks;
  }

  /// The tasks that a resume would run again.
  List<TaskView> failed(RunSummary run) {
    return tasks(run).stream().filter(it -> it.status() == TaskView.Status.FAILED).toList();
  }

  private static boolean isDriven(RunSummary run) {
    return switch (run.status()) {
      case RUNNING, CANCELLING -> true;
      case QUEUED, WAITING, INTERRUPTED, FAILED, SUCCEEDED, CANCELLED -> false;
    };
  }

  private List<TaskKey> keys(RunSummary run, Pending pending, int superstep) {
    var graph = runFinder.findGraph(run).orElse(UNKNOWN);
    return new Planner(graph).keys(pending.activations(), superstep);
  }
}
