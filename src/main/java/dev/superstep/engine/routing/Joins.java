package dev.superstep.engine.routing;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.ActivationOrigins;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.task.Activation;
import dev.superstep.engine.task.TaskKey;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Decides which edges from several sources (E27) have fired, and which sources the rest await.
public final class Joins {
  private final Graph graph;

  public Joins(Graph graph) {
    this.graph = graph;
  }

  /// @param fired the activations of the joins that fired, in declaration order
  /// @param origins their origins, parallel to them; empty if the run notes none
  /// @param arrivals of the joins that have not fired, for the checkpoint
  /// @param tasks that have arrived at those, in mode `chain`
  record Fired(
      List<Activation> fired,
      List<ActivationOrigin> origins,
      Map<String, Set<NodeId>> arrivals,
      Map<String, List<TaskKey>> tasks) {
    static final Fired NOTHING = new Fired(List.of(), List.of(), Map.of(), Map.of());
  }

  /// @param before what was pending
  /// @param routing of the superstep that this commit adds
  /// @param pending what is activated without joins
  Fired fire(Pending before, SuperstepRouting routing, List<Activation> pending) {
    if (graph.joins().isEmpty()) {
      return Fired.NOTHING;
    }
    var arrived = routing.arrived;
    var to = new Fired(new ArrayList<>(), new ArrayList<>(), new HashMap<>(), new HashMap<>());
    for (var join : graph.joins()) {
      var here = new HashSet<>(before.arrivals().getOrDefault(join.id(), Set.of()));
      join.from().stream().filter(arrived::contains).forEach(here::add);
      var tasks = tasks(join, before.origins(), routing);
      if (fires(join, here, arrived, pending, to.fired())) {
        join.to().forEach(it -> activate(it, join, tasks, to));
      } else if (!here.isEmpty() && join.mode() != Edge.Join.Mode.ANY) {
        to.arrivals().put(join.id(), Set.copyOf(here));
        if (!tasks.isEmpty()) {
          to.tasks().put(join.id(), tasks);
        }
      }
    }
    return to;
  }

  private static void activate(NodeId node, Edge.Join join, List<TaskKey> tasks, Fired to) {
    if (tasks.isEmpty()) {
      to.fired().add(new Activation.Plain(node));
      to.origins().add(new ActivationOrigin(join.id(), null));
    }
    for (var task : tasks) {
      to.fired().add(new Activation.Plain(node));
      to.origins().add(new ActivationOrigin(join.id(), task));
    }
  }

  /// The tasks that have arrived at a join, of each source the last ones (mode `chain`).
  private static List<TaskKey> tasks(
      Edge.Join join, ActivationOrigins before, SuperstepRouting routing) {
    if (before.arrived().isEmpty() && routing.arrivals.isEmpty()) {
      return List.of();
    }
    var tasks = new ArrayList<TaskKey>();
    for (var earlier : before.arrived().getOrDefault(join.id(), List.of())) {
      if (!routing.arrived.contains(earlier.node())) {
        tasks.add(earlier);
      }
    }
    routing.arrivals.stream().filter(it -> join.from().contains(it.node())).forEach(tasks::add);
    return tasks;
  }

  private static boolean fires(
      Edge.Join join,
      Set<NodeId> here,
      Set<NodeId> arrived,
      List<Activation> pending,
      List<Activation> fired) {
    return switch (join.mode()) {
      case ALL -> here.containsAll(join.from());
      case ANY -> join.from().stream().anyMatch(arrived::contains);
      case ACTIVATED ->
          !here.isEmpty() && !pendsAny(pending, join.from()) && !pendsAny(fired, join.from());
    };
  }

  private static boolean pendsAny(List<Activation> pending, List<NodeId> nodes) {
    return pending.stream().anyMatch(it -> nodes.contains(it.node()));
  }

  /// The sources that `all` joins still miss, by edge id; empty if no join is partly satisfied
  /// (E13).
  public Map<String, List<NodeId>> missing(Map<String, Set<NodeId>> arrivals) {
    var missing = new HashMap<String, List<NodeId>>();
    for (var join : graph.joins()) {
      var here = arrivals.get(join.id());
      if (here != null && join.mode() == Edge.Join.Mode.ALL) {
        missing.put(join.id(), join.from().stream().filter(it -> !here.contains(it)).toList());
      }
    }
    return missing;
  }
}
