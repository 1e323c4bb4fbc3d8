package dev.superstep.engine.routing;

import dev.superstep.engine.task.Activation;
import dev.superstep.engine.task.Task;
import dev.superstep.engine.task.TaskKey;
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
    if (pending.size() == 1) {
      return List.of(task(pending.getFirst(), superstep));
    }
    var byNode = new LinkedHashMap<NodeId, List<Activation>>();
    for (var activation : due(pending)) {
      byNode.computeIfAbsent(activation.node(), _ -> new ArrayList<>()).add(activation);
    }
    var nodes = new ArrayList<>(byNode.keySet());
    nodes.sort((a, b) -> Integer.compare(graph.order(a), graph.order(b)));
    var tasks = new ArrayList<Task>(pending.size());
    for (var node : nodes) {
      addTasks(byNode.getOrDefault(node, List.of()), superstep, tasks);
    }
    return tasks;
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

  private void addTasks(List<Activation> activations, int superstep, List<Task> tasks) {
    var sent = activations.stream().filter(Activation.Sent.class::isInstance).toList();
    if (sent.isEmpty()) {
      tasks.add(task(activations.getFirst(), superstep));
    } else {
      sent.forEach(it -> tasks.add(task(it, superstep)));
    }
  }

  private Task task(Activation activation, int superstep) {
    var node = graph.node(activation.node());
    return switch (activation) {
      case Activation.Plain(var id) -> new Task(new TaskKey(superstep, id, null), node, null);
      case Activation.Sent(var dispatch) ->
          new Task(new TaskKey(superstep, node.id(), dispatch.id()), node, dispatch);
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
