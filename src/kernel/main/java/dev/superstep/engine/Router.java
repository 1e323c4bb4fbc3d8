package dev.superstep.engine;

import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.Edge;
import dev.superstep.graph.ExpressionException;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Scope;
import dev.superstep.graph.Target;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/// Decides which nodes a done task activates (E22–E27).
final class Router {
  private static final Comparator<Edge.Flow> HEAVIEST_FIRST =
      Comparator.comparingDouble(Edge.Flow::weight).reversed();

  private final Graph graph;
  private final long ordinal;

  Router(Graph graph, long ordinal) {
    this.graph = graph;
    this.ordinal = ordinal;
  }

  /// What one task activates.
  ///
  /// @param origins the origin of each of the activations, in order; empty where the run keeps no
  ///   prompt context
  /// @param notTaken the events of edges that were not taken because their target could not use the
  ///   context that they pass (P13)
  record Activated(
      List<Activation> activations, List<ActivationOrigin> origins, List<Event> notTaken) {
    static final Activated NOTHING = new Activated(List.of(), List.of(), List.of());
  }

  /// What a task activates.
  ///
  /// @param arrived whether the task counts as an arrival at the joins of its node (E27)
  public record Routed(Activated activated, Arrived arrived) {}

  public enum Arrived {
    YES,
    NO
  }

  /// @param scope frozen state with the task's own update (E22)
  /// @throws TaskFailedException with `invalid_route`
  public Routed route(Task task, NodeResult result, Scope scope, OutgoingContext exit) {
    var taskRouting = new TaskRouting(graph, task, ordinal, exit, result.policy());
    var allowed = task.node().routing().allowed();
    result.dispatch().forEach(it -> taskRouting.dispatch(it, allowed));
    var goTo = result.goTo();
    if (goTo != null) {
      goTo.forEach(it -> taskRouting.plain(it, orIfEmpty(task.node().routing(), it)));
      return routed(taskRouting, Arrived.NO);
    }
    take(task.node(), taskRouting, scope);
    return routed(taskRouting, Arrived.YES, task.key().node());
  }

  /// The target that a node names for an empty fan-out needs no other declaration (E24).
  private static Set<NodeId> orIfEmpty(Node.Routing routing, String target) {
    return routing.ifEmpty().filter(it -> it.value().equals(target)).isPresent()
        ? Set.of()
        : routing.allowed();
  }

  /// The edges of `__start__` (E9).
  public Routed routeStart(Task start, Scope scope, OutgoingContext exit) {
    var taskRouting = new TaskRouting(graph, start, ordinal, exit);
    graph.flowsFrom(NodeId.START).forEach(it -> takeIfOpen(it, taskRouting, scope));
    return routed(taskRouting, Arrived.YES, NodeId.START);
  }

  /// The targets of error edges. An edge without a target that can use the context activates
  /// nothing and adds only its event (P13).
  Activated routeError(Task task, List<Edge.ErrorRoute> edges, Scope scope, OutgoingContext exit) {
    var taskRouting = new TaskRouting(graph, task, ordinal, exit);
    edges.forEach(it -> follow(it.id(), it.target(), taskRouting, scope));
    return taskRouting.activated();
  }

  /// What follows a task without a result: the edges of its node that ask for nothing (E54).
  Activated routePlain(Task task, OutgoingContext exit) {
    var taskRouting = new TaskRouting(graph, task, ordinal, exit);
    for (var edge : graph.flowsFrom(task.key().node())) {
      if (edge.condition().isEmpty() && edge.target() instanceof Target.Nodes(var ids)) {
        taskRouting.by(edge.id());
        ids.forEach(taskRouting::plain);
      }
    }
    return routed(taskRouting, Arrived.YES, task.key().node()).activated();
  }

  private Routed routed(TaskRouting taskRouting, Arrived arrived, NodeId node) {
    var joins = graph.joinsFrom(node);
    return joins.isEmpty()
        ? routed(taskRouting, arrived)
        : new Routed(taskRouting.activated(), arrived);
  }

  private static Routed routed(TaskRouting taskRouting, Arrived arrived) {
    if (taskRouting.activations().isEmpty()) {
      taskRouting.by(ActivationOrigin.NO_EDGE);
      taskRouting.plain(NodeId.END);
    }
    return new Routed(taskRouting.activated(), arrived);
  }

  private void take(Node node, TaskRouting taskRouting, Scope scope) {
    var edges = graph.flowsFrom(node.id());
    boolean matched =
        switch (node.routing().edgeMode()) {
          case ALL -> takeOpen(edges, taskRouting, scope);
          case FIRST -> takeFirst(edges, taskRouting, scope);
        };
    if (!matched && !edges.isEmpty() && node.routing().onNoMatch() == Node.OnNoMatch.FAIL) {
      throw TaskFailedException.invalidRoute(
          "no edge of node '%s' is taken: the conditions of none hold, and its on_no_match is fail"
              .formatted(node.id()));
    }
  }

  private boolean takeOpen(List<Edge.Flow> edges, TaskRouting taskRouting, Scope scope) {
    boolean matched = false;
    for (var edge : edges) {
      matched |= takeIfOpen(edge, taskRouting, scope);
    }
    return matched;
  }

  /// The open edge of highest weight; a last edge without condition is the *else*.
  private boolean takeFirst(List<Edge.Flow> edges, TaskRouting taskRouting, Scope scope) {
    if (edges.isEmpty()) {
      return false;
    }
    boolean otherwise = edges.getLast().condition().isEmpty();
    var candidates = otherwise ? edges.subList(0, edges.size() - 1) : edges;
    for (var edge : candidates.stream().sorted(HEAVIEST_FIRST).toList()) {
      if (isOpen(edge, scope) && taskRouting.mayTake(edge.id(), literal(edge.target()))) {
        follow(edge.id(), edge.target(), taskRouting, scope);
        return true;
      }
    }
    if (otherwise) {
      follow(edges.getLast().id(), edges.getLast().target(), taskRouting, scope);
    }
    return otherwise;
  }

  /// Whether one of its targets can use the context that the edge passes (P13).
  static boolean reaches(Edge.ErrorRoute edge, OutgoingContext exit) {
    var targets = literal(edge.target());
    return targets.isEmpty()
        || targets.stream().anyMatch(it -> exit.missing(edge.id(), it).isEmpty());
  }

  private static List<NodeId> literal(Target target) {
    return target instanceof Target.Nodes(var ids) ? ids : List.of();
  }

  private boolean takeIfOpen(Edge.Flow edge, TaskRouting taskRouting, Scope scope) {
    boolean open = isOpen(edge, scope);
    if (open) {
      follow(edge.id(), edge.target(), taskRouting, scope);
    }
    return open;
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

  private void follow(String edge, Target target, TaskRouting taskRouting, Scope scope) {
    taskRouting.by(edge);
    switch (target) {
      case Target.Nodes(var ids) -> ids.forEach(taskRouting::plain);
      case Target.Computed computed -> compute(edge, computed, taskRouting, scope);
    }
  }

  private void compute(String edge, Target.Computed target, TaskRouting taskRouting, Scope scope) {
    int before = taskRouting.activations().size();
    var returned = evaluate(edge, target, scope);
    if (returned instanceof ListValue list) {
      list.forEach(it -> emit(edge, it, target, taskRouting));
    } else if (!(returned instanceof Value.Null)) {
      emit(edge, returned, target, taskRouting);
    }
    if (taskRouting.activations().size() == before) {
      target.ifEmpty().ifPresent(taskRouting::plain);
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

  private static void emit(
      String edge, Value item, Target.Computed target, TaskRouting taskRouting) {
    switch (item) {
      case Value.Text(var key) -> taskRouting.plain(mapped(edge, key, target), allowed(target));
      case ObjectValue dispatch -> taskRouting.dispatch(dispatch, allowed(target));
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
