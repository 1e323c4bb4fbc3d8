package dev.superstep.engine;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.ActivationOrigins;
import dev.superstep.engine.checkpoint.Pending;
import dev.superstep.engine.run.Activation;
import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Computes what is pending after a superstep from the routing of its tasks.
final class PendingRouting {
  private PendingRouting() {}

  /// What is pending after a commit with this routing; `__end__` leaves the list (E13).
  ///
  /// @param rest what was pending before and still is
  public static Pending pending(Routes routes, Pending rest, SuperstepRouting routing) {
    var activations = new ArrayList<>(rest.activations());
    addAllButEnd(activations, routing.activations);
    var joins = routes.joins().fire(rest, routing, activations);
    addAllButEnd(activations, joins.fired());
    boolean ended = rest.ended() || ends(routing.activations) || ends(joins.fired());
    boolean nothingLeft = activations.isEmpty() && joins.arrivals().isEmpty() && ended;
    var pending =
        new Pending(
            nothingLeft ? List.of(new Activation.Plain(NodeId.END)) : Planner.distinct(activations),
            joins.arrivals(),
            ended,
            rest.dispatched(),
            rest.tried(),
            ActivationOrigins.NONE,
            rest.spent());
    return routing.notes || !rest.origins().isNone()
        ? pending.with(origins(rest, routing, joins))
        : pending;
  }

  /// The origins of all pending activations. Passed contexts stay until those of this superstep are
  /// known.
  private static ActivationOrigins origins(
      Pending rest, SuperstepRouting routing, Joins.Fired joins) {
    var origins = new LinkedHashMap<ActivationOrigins.To, Set<ActivationOrigin>>();
    for (var activation : rest.activations()) {
      var to = ActivationOrigins.To.of(activation);
      var known = rest.origins().to().getOrDefault(to, List.of());
      origins.put(to, new LinkedHashSet<>(known));
    }
    add(origins, routing.activations, routing.activationOrigins);
    add(origins, joins.fired(), joins.origins());
    var to = new LinkedHashMap<ActivationOrigins.To, List<ActivationOrigin>>();
    origins.forEach((key, all) -> {
      if (!all.isEmpty()) {
        to.put(key, List.copyOf(all));
      }
    });
    return new ActivationOrigins(to, joins.tasks(), rest.origins().passed());
  }

  private static void add(
      Map<ActivationOrigins.To, Set<ActivationOrigin>> to,
      List<Activation> activations,
      List<ActivationOrigin> activationOrigins) {
    for (int i = 0; i < Math.min(activations.size(), activationOrigins.size()); i++) {
      if (!activations.get(i).node().equals(NodeId.END)) {
        to.computeIfAbsent(ActivationOrigins.To.of(activations.get(i)), _ -> new LinkedHashSet<>())
            .add(activationOrigins.get(i));
      }
    }
  }

  private static void addAllButEnd(List<Activation> to, List<Activation> from) {
    for (var activation : from) {
      if (!activation.node().equals(NodeId.END)) {
        to.add(activation);
      }
    }
  }

  private static boolean ends(List<Activation> activations) {
    for (var activation : activations) {
      if (activation.node().equals(NodeId.END)) {
        return true;
      }
    }
    return false;
  }
}
