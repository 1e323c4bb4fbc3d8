package dev.superstep.engine;

import dev.superstep.graph.Edge;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Scope;
import dev.superstep.graph.Target;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Decides where a task that is done leads (E22–E27).
final class Router {
  private static final Comparator<Edge.Flow> HEAVIEST_FIRST =
      Comparator.comparingDouble(Edge.Flow::weight).reversed();

  private final Graph graph;
  private final long ordinal;

  Router(Graph graph, long ordinal) {
    this.graph = graph;
    this.ordinal = ordinal;
  }

  /// What a task activates.
  ///
  /// @param arrived whether the task counts as an arrival at the joins of its node (E27)
  record Routed(Activated activated, Arrived arrived) {}

  enum Arrived {
    YES,
    NO
  }

  /// @param scope frozen state with the task's own update (E22)
  /// @throws TaskFailedException with `invalid_route`
  Routed route(Task task, NodeResult result, Scope scope, ContextExit exit) {
    var emission = new Emission(graph, task, ordinal, exit);
    var allowed = task.node().routing().allowed();
    result.dispatch().forEach(it -> emission.dispatch(it, allowed));
    var goTo = result.goTo();
    if (goTo != null) {
      goTo.forEach(it -> emission.plain(it, orIfEmpty(task.node().routing(), it)));
      return routed(emission, Arrived.NO);
    }
    take(task.node(), emission, scope);
    return routed(emission, Arrived.YES, task.key().node());
  }

  /// The target that a node names for an empty fan-out needs no other declaration (E24).
  private static Set<NodeId> orIfEmpty(Node.Routing routing, String target) {
    return routing.ifEmpty().filter(it -> it.value().equals(target)).isPresent()
        ? Set.of()
        : routing.allowed();
  }

  /// The edges of `__start__` (E9).
  Routed routeStart(Task start, Scope scope, ContextExit exit) {
    var emission = new Emission(graph, start, ordinal, exit);
    graph.flowsFrom(NodeId.START).forEach(it -> takeIfOpen(it, emission, scope));
    return routed(emission, Arrived.YES, NodeId.START);
  }

  /// The targets of error edges. Those of an edge that leads nowhere, because no target can do with
  /// the context, say so by its event only (P13).
  Activated routeError(Task task, List<Edge.OnError> edges, Scope scope, ContextExit exit) {
    var emission = new Emission(graph, task, ordinal, exit);
    edges.forEach(it -> follow(it.id(), it.target(), emission, scope));
    return emission.activated();
  }

  private Routed routed(Emission emission, Arrived arrived, NodeId node) {
    var joins = graph.joinsFrom(node);
    return joins.isEmpty() ? routed(emission, arrived) : new Routed(emission.activated(), arrived);
  }

  private static Routed routed(Emission emission, Arrived arrived) {
    if (emission.emitted().isEmpty()) {
      emission.by(Way.NO_EDGE);
      emission.plain(NodeId.END);
    }
    return new Routed(emission.activated(), arrived);
  }

  private void take(Node node, Emission emission, Scope scope) {
    var edges = graph.flowsFrom(node.id());
    switch (node.routing().edgeMode()) {
      case ALL -> edges.forEach(it -> takeIfOpen(it, emission, scope));
      case FIRST -> takeFirst(edges, emission, scope);
    }
  }

  /// The open edge of highest weight; a last edge without condition is the *else*.
  private void takeFirst(List<Edge.Flow> edges, Emission emission, Scope scope) {
    if (edges.isEmpty()) {
      return;
    }
    boolean otherwise = edges.getLast().condition().isEmpty();
    var candidates = otherwise ? edges.subList(0, edges.size() - 1) : edges;
    for (var edge : candidates.stream().sorted(HEAVIEST_FIRST).toList()) {
      if (isOpen(edge, scope) && emission.mayTake(edge.id(), literal(edge.target()))) {
        follow(edge.id(), edge.target(), emission, scope);
        return;
      }
    }
    if (otherwise) {
      follow(edges.getLast().id(), edges.getLast().target(), emission, scope);
    }
  }

  /// Whether one of its targets can do with the context that the edge leads to it (P13).
  static boolean reaches(Edge.OnError edge, ContextExit exit) {
    var targets = literal(edge.target());
    return targets.isEmpty()
        || targets.stream().anyMatch(it -> exit.missing(edge.id(), it).isEmpty());
  }

  private static List<NodeId> literal(Target target) {
    return target instanceof Target.Nodes(var ids) ? ids : List.of();
  }

  private void takeIfOpen(Edge.Flow edge, Emission emission, Scope scope) {
    if (isOpen(edge, scope)) {
      follow(edge.id(), edge.target(), emission, scope);
    }
  }

  private static boolean isOpen(Edge.Flow edge, Scope scope) {
    return edge.condition().isEmpty() || test(edge.id(), edge.condition().get(), scope);
  }

  static boolean test(String edge, dev.superstep.graph.Condition condition, Scope scope) {
    try {
      return condition.test(scope);
    } catch (ExpressionException e) {
      throw TaskFailedException.invalidRoute(
          "the condition of edge '%s' failed: %s".formatted(edge, e.getMessage()));
    }
  }

  private void follow(String edge, Target target, Emission emission, Scope scope) {
    emission.by(edge);
    switch (target) {
      case Target.Nodes(var ids) -> ids.forEach(emission::plain);
      case Target.Computed computed -> compute(edge, computed, emission, scope);
    }
  }

  private void compute(String edge, Target.Computed target, Emission emission, Scope scope) {
    int before = emission.emitted().size();
    var returned = evaluate(edge, target, scope);
    if (returned instanceof ListValue list) {
      list.forEach(it -> emit(edge, it, target, emission));
    } else if (!(returned instanceof Value.Null)) {
      emit(edge, returned, target, emission);
    }
    if (emission.emitted().size() == before) {
      target.ifEmpty().ifPresent(emission::plain);
    }
  }

  private static Value evaluate(String edge, Target.Computed target, Scope scope) {
    try {
      return target.route().route(scope);
    } catch (ExpressionException e) {
      throw TaskFailedException.invalidRoute(
          "the route of edge '%s' failed: %s".formatted(edge, e.getMessage()));
    }
  }

  private static void emit(String edge, Value item, Target.Computed target, Emission emission) {
    switch (item) {
      case Value.Text(var key) -> emission.plain(mapped(edge, key, target), allowed(target));
      case ObjectValue dispatch -> emission.dispatch(dispatch, allowed(target));
      case Value.Null _, Value.Bool _, Value.Int _, Value.Real _, ListValue _ ->
          throw TaskFailedException.invalidRoute(
              "the route of edge '%s' returned a %s; it must return node ids or dispatches"
                  .formatted(edge, item.typeName()));
    }
  }

  private static Set<NodeId> allowed(Target.Computed target) {
    return target.allowed();
  }

  private static String mapped(String edge, String key, Target.Computed target) {
    if (target.map().isEmpty()) {
      return key;
    }
    var mapped = target.map().get(key);
    if (mapped == null) {
      throw TaskFailedException.invalidRoute(
          "the route of edge '%s' returned '%s', which its route_map does not have"
              .formatted(edge, key));
    }
    return mapped.value();
  }
}
