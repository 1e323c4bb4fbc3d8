package dev.superstep.engine;

import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// From what tasks emit to what is pending behind them.
final class Emitted {
  private Emitted() {}

  /// What is pending after a commit that emits `emitted`; `__end__` leaves the list (E13).
  ///
  /// @param rest what was pending before and still is
  static Pending pending(Routes routes, Pending rest, Emissions emitted) {
    var activations = new ArrayList<>(rest.activations());
    addAllButEnd(activations, emitted.activations);
    var joins = routes.joins().fire(rest, emitted, activations);
    addAllButEnd(activations, joins.fired());
    boolean ended = rest.ended() || ends(emitted.activations) || ends(joins.fired());
    boolean nothingLeft = activations.isEmpty() && joins.arrivals().isEmpty() && ended;
    var pending =
        new Pending(
            nothingLeft ? List.of(new Activation.Plain(NodeId.END)) : Planner.distinct(activations),
            joins.arrivals(),
            ended,
            rest.dispatched(),
            rest.tried(),
            Ways.NONE,
            rest.spent());
    return emitted.notes || !rest.ways().isNone()
        ? pending.with(ways(rest, emitted, joins))
        : pending;
  }

  /// How all of it came about. What passes on contexts stays until those of this superstep are
  /// known.
  private static Ways ways(Pending rest, Emissions emitted, Joins.Fired joins) {
    var ways = new LinkedHashMap<Ways.To, Set<Way>>();
    for (var activation : rest.activations()) {
      var to = Ways.To.of(activation);
      var known = rest.ways().to().getOrDefault(to, List.of());
      ways.put(to, new LinkedHashSet<>(known));
    }
    add(ways, emitted.activations, emitted.ways);
    add(ways, joins.fired(), joins.ways());
    var to = new LinkedHashMap<Ways.To, List<Way>>();
    ways.forEach((key, all) -> {
      if (!all.isEmpty()) {
        to.put(key, List.copyOf(all));
      }
    });
    return new Ways(to, joins.tasks(), rest.ways().passed());
  }

  private static void add(Map<Ways.To, Set<Way>> to, List<Activation> activations, List<Way> ways) {
    for (int i = 0; i < Math.min(activations.size(), ways.size()); i++) {
      if (!activations.get(i).node().equals(NodeId.END)) {
        to.computeIfAbsent(Ways.To.of(activations.get(i)), _ -> new LinkedHashSet<>())
            .add(ways.get(i));
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
