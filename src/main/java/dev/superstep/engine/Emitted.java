package dev.superstep.engine;

import dev.superstep.graph.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// From what tasks emit to what is pending behind them.
final class Emitted {
  private Emitted() {}

  /// What is pending after a commit that emits `emitted`; `__end__` leaves the list (E13).
  ///
  /// @param rest what was pending before and still is
  /// @param arrived sources that arrived with this commit (E27)
  static Pending pending(
      Routes routes, Pending rest, List<Activation> emitted, Set<NodeId> arrived) {
    var activations = new ArrayList<>(rest.activations());
    addAllButEnd(activations, emitted);
    var joins = routes.joins().fire(rest.arrivals(), arrived, activations);
    addAllButEnd(activations, joins.fired());
    boolean ended = rest.ended() || ends(emitted) || ends(joins.fired());
    boolean nothingLeft = activations.isEmpty() && joins.arrivals().isEmpty() && ended;
    return new Pending(
        nothingLeft ? List.of(new Activation.Plain(NodeId.END)) : Planner.distinct(activations),
        joins.arrivals(),
        ended,
        rest.dispatched(),
        rest.tried());
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
