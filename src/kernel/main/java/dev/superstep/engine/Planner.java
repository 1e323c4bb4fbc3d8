package dev.superstep.engine;

import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;

/// Turns pending activations into the tasks of the next superstep (E10.1, E11, E28).
public final class Planner {
  private final Graph graph;

  public Planner(Graph graph) {
    this.graph = graph;
  }

  /// The tasks of superstep `superstep`, in task order: nodes as declared, then dispatches as
  /// emitted. A node with dispatches runs once per dispatch and not in addition for its plain
  /// activation (S2-18).
  public List<Task> plan(List<Activation> pending, int superstep) {
    return inTaskOrder(pending).stream().map(it -> task(it, superstep)).toList();
  }

  /// The keys of these tasks. The graph may lack their nodes, for a reader that cannot compile it.
  public List<TaskKey> keys(List<Activation> pending, int superstep) {
    return inTaskOrder(pending).stream()
        .filter(it -> !it.node().isReserved())
        .map(it -> key(it, superstep))
        .toList();
  }

  private List<Activation> inTaskOrder(List<Activation> pending) {
    if (pending.size() == 1) {
      return pending;
    }
    var byNode = new LinkedHashMap<NodeId, List<Activation>>();
    for (var activation : due(pending)) {
      byNode.computeIfAbsent(activation.node(), _ -> new ArrayList<>()).add(activation);
    }
    var nodes = new ArrayList<>(byNode.keySet());
    nodes.sort((a, b) -> Integer.compare(graph.order(a), graph.order(b)));
    var ordered = new ArrayList<Activation>(pending.size());
    for (var node : nodes) {
      addOf(byNode.getOrDefault(node, List.of()), ordered);
    }
    return ordered;
  }

  /// The activations that the next superstep leaves pending: deferred ones, while ordinary ones
  /// run.
  public List<Activation> left(List<Activation> pending) {
    if (pending.size() < 2) {
      return List.of();
    }
    return hasOrdinary(pending) ? pending.stream().filter(this::isDeferred).toList() : List.of();
  }

  private List<Activation> due(List<Activation> pending) {
    return hasOrdinary(pending) ? pending.stream().filter(it -> !isDeferred(it)).toList() : pending;
  }

  private boolean hasOrdinary(List<Activation> pending) {
    return pending.stream().anyMatch(it -> !isDeferred(it));
  }

  private boolean isDeferred(Activation activation) {
    return graph.find(activation.node()).map(it -> it.policy().deferred()).orElse(false);
  }

  private static void addOf(List<Activation> activations, List<Activation> ordered) {
    var sent = activations.stream().filter(Activation.Sent.class::isInstance).toList();
    if (sent.isEmpty()) {
      ordered.add(activations.getFirst());
    } else {
      ordered.addAll(sent);
    }
  }

  private Task task(Activation activation, int superstep) {
    var dispatch = activation instanceof Activation.Sent(var sent) ? sent : null;
    return new Task(key(activation, superstep), graph.node(activation.node()), dispatch);
  }

  private static TaskKey key(Activation activation, int superstep) {
    return switch (activation) {
      case Activation.Plain(var node) -> new TaskKey(superstep, node, null);
      case Activation.Sent(var dispatch) -> new TaskKey(superstep, dispatch.node(), dispatch.id());
    };
  }

  /// Plain activations once each, dispatches all; in order of first appearance (E10.2, S2-19).
  static List<Activation> distinct(List<Activation> activations) {
    if (activations.size() < 2) {
      return activations;
    }
    var plain = new HashSet<NodeId>();
    return activations.stream()
        .filter(it -> it instanceof Activation.Sent || plain.add(it.node()))
        .toList();
  }
}
