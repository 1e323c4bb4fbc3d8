package dev.superstep.engine;

import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// What the tasks of one superstep lead to, in task order.
final class Emissions {
  final List<Activation> activations = new ArrayList<>(4);

  /// Parallel to the activations, or empty where the run keeps no prompt context.
  final List<Way> ways = new ArrayList<>(0);

  final List<Event> notTaken = new ArrayList<>(0);
  final Set<NodeId> arrived = new HashSet<>();

  /// In mode `chain`: the tasks that arrived.
  final List<TaskKey> arrivals = new ArrayList<>(0);

  /// Whether ways are noted.
  boolean notes;

  void add(Activated activated, ContextExit exit) {
    activations.addAll(activated.activations());
    if (exit.notes()) {
      notes = true;
      ways.addAll(activated.ways());
      notTaken.addAll(activated.notTaken());
    }
  }

  void arrive(TaskKey task, ContextExit exit) {
    arrived.add(task.node());
    if (exit.chains()) {
      arrivals.add(task);
    }
  }

  /// What starting a run, or a node in whose name a change is made, leads to.
  static Emissions of(Activated activated, TaskKey task, ContextExit exit) {
    var emissions = new Emissions();
    emissions.add(activated, exit);
    emissions.arrive(task, exit);
    return emissions;
  }
}
