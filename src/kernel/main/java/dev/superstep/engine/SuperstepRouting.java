package dev.superstep.engine;

import dev.superstep.engine.Router.Activated;
import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Collects what the tasks of one superstep activate, in task order.
final class SuperstepRouting {
  final List<Activation> activations = new ArrayList<>(4);

  /// Parallel to the activations, or empty where the run keeps no prompt context.
  final List<ActivationOrigin> activationOrigins = new ArrayList<>(0);

  public final List<Event> notTaken = new ArrayList<>(0);
  final Set<NodeId> arrived = new HashSet<>();

  /// In mode `chain`: the tasks that arrived.
  final List<TaskKey> arrivals = new ArrayList<>(0);

  /// Whether origins are noted.
  boolean notes;

  public void add(Activated activated, OutgoingContext exit) {
    activations.addAll(activated.activations());
    if (exit.notes()) {
      notes = true;
      activationOrigins.addAll(activated.origins());
      notTaken.addAll(activated.notTaken());
    }
  }

  public void arrive(TaskKey task, OutgoingContext exit) {
    arrived.add(task.node());
    if (exit.chains()) {
      arrivals.add(task);
    }
  }

  /// The routing of a run's start, or of a node in whose name a change is made.
  public static SuperstepRouting of(Activated activated, TaskKey task, OutgoingContext exit) {
    var superstepRouting = new SuperstepRouting();
    superstepRouting.add(activated, exit);
    superstepRouting.arrive(task, exit);
    return superstepRouting;
  }
}
