package dev.superstep.engine;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.ActivationOrigins;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Decides which edges from several sources (E27) have fired, and which sources the rest await.
final class Joins {
  private final Graph graph;

  /// Those of mode `activated`, in the order in which they are decided.
  private final List<Edge.Join> waiting;

  public Joins(Graph graph) {
    this.graph = graph;
    this.waiting =
        JoinOrder.of(
            graph.joins().stream().filter(it -> it.mode() == Edge.Join.Mode.ACTIVATED).toList());
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
    var here = arrivals(before, routing);
    var firing = firing(here, routing.arrived, pending);
    var to = new Fired(new ArrayList<>(), new ArrayList<>(), new HashMap<>(), new HashMap<>());
    for (var join : graph.joins()) {
      var tasks = tasks(join, before.origins(), routing);
      if (firing.contains(join)) {
        join.to().forEach(it -> activate(it, join, tasks, to));
      } else if (here.containsKey(join) && join.mode() != Edge.Join.Mode.ANY) {
        to.arrivals().put(join.id(), Set.copyOf(here.get(join)));
        if (!tasks.isEmpty()) {
          to.tasks().put(join.id(), tasks);
        }
      }
    }
    return to;
  }

  /// The sources that have arrived, by join; joins without any are left out.
  private Map<Edge.Join, Set<NodeId>> arrivals(Pending before, SuperstepRouting routing) {
    var arrivals = new LinkedHashMap<Edge.Join, Set<NodeId>>();
    for (var join : graph.joins()) {
      var here = new HashSet<>(before.arrivals().getOrDefault(join.id(), Set.of()));
      join.from().stream().filter(routing.arrived::contains).forEach(here::add);
      if (!here.isEmpty()) {
        arrivals.put(join, here);
      }
    }
    return arrivals;
  }

  /// Joins that wait for what is activated are decided last, since other joins activate, too.
  private Set<Edge.Join> firing(
      Map<Edge.Join, Set<NodeId>> arrivals, Set<NodeId> arrived, List<Activation> pending) {
    var firing = new HashSet<Edge.Join>();
    var activated = new HashSet<NodeId>();
    pending.forEach(it -> activated.add(it.node()));
    arrivals.forEach((join, here) -> {
      if (fires(join, here, arrived)) {
        firing.add(join);
        activated.addAll(join.to());
      }
    });
    for (var join : waiting) {
      if (arrivals.containsKey(join) && Collections.disjoint(activated, join.from())) {
        firing.add(join);
        activated.addAll(join.to());
      }
    }
    return firing;
  }

  private static boolean fires(Edge.Join join, Set<NodeId> here, Set<NodeId> arrived) {
    return switch (join.mode()) {
      case ALL -> here.containsAll(join.from());
      case ANY -> join.from().stream().anyMatch(arrived::contains);
      case ACTIVATED -> false;
    };
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
