package dev.superstep.engine;

import dev.superstep.engine.Router.Activated;
import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.run.Activation;
import dev.superstep.engine.run.Dispatch;
import dev.superstep.engine.run.DispatchRequest;
import dev.superstep.engine.run.Event;
import dev.superstep.engine.run.Ids;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.DispatchPolicy;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Collects what one task activates, in order, and refuses what does not exist (E5, E23, E25).
final class TaskRouting {
  private static final Set<String> DISPATCH_KEYS = Set.of("node", "input", "id", "metadata");

  private final Graph graph;
  private final Task task;
  private final long ordinal;
  private final OutgoingContext exit;
  private final List<Activation> activations = new ArrayList<>(2);
  private final List<ActivationOrigin> activationOrigins;
  private final List<Event> notTaken;
  private final @Nullable DispatchPolicy ownPolicy;
  private final Optional<DispatchPolicy> policy;
  private String edge = ActivationOrigin.NO_EDGE;
  private int dispatched;

  TaskRouting(Graph graph, Task task, long ordinal, OutgoingContext exit) {
    this(graph, task, ordinal, exit, null);
  }

  /// @param given the policy that the task has for its dispatches; null: that of its node (E54)
  TaskRouting(
      Graph graph, Task task, long ordinal, OutgoingContext exit, @Nullable DispatchPolicy given) {
    this.graph = graph;
    this.task = task;
    this.ordinal = ordinal;
    this.exit = exit;
    ownPolicy = given;
    policy = given == null ? task.node().routing().dispatches() : Optional.of(given);
    activationOrigins = exit.notes() ? new ArrayList<>(2) : List.of();
    notTaken = exit.notes() ? new ArrayList<>(0) : List.of();
  }

  List<Activation> activations() {
    return activations;
  }

  /// @throws TaskFailedException if there are fewer dispatches than have to succeed (E54)
  Activated activated() {
    int wanted = policy.map(DispatchPolicy::minSucceeded).orElse(0);
    if (wanted > 0 && dispatched > 0 && dispatched < wanted) {
      throw new TaskFailedException(
          TaskError.permanent(
              "too_few_dispatches",
              "min_succeeded of node '%s' is %d, and it dispatches only %d"
                  .formatted(task.node().id(), wanted, dispatched)));
    }
    return new Activated(activations, activationOrigins, notTaken);
  }

  /// Attributes the activations that follow to this edge.
  void by(String edge) {
    this.edge = edge;
  }

  /// Whether at least one of the targets can use the context that the edge passes (P13).
  boolean mayTake(String edge, List<NodeId> targets) {
    for (var target : targets) {
      if (exit.missing(edge, target).isEmpty()) {
        return true;
      }
    }
    by(edge);
    targets.forEach(this::leadsTo);
    return targets.isEmpty();
  }

  void plain(NodeId node) {
    if (leadsTo(node)) {
      add(new Activation.Plain(node));
    }
  }

  private void add(Activation activation) {
    activations.add(activation);
    if (exit.notes()) {
      activationOrigins.add(exit.origin(edge));
    }
  }

  private boolean leadsTo(NodeId target) {
    var missing = exit.missing(edge, target);
    if (missing.isEmpty()) {
      return true;
    }
    notTaken.add(
        Event.of(
            "edge.not_taken",
            task.key(),
            ObjectValue.of("edge", edge)
                .plus("to", target.value())
                .plus("code", ContextViews.INCOMPATIBLE)
                .plus("missing", ContextViews.texts(missing))));
    return false;
  }

  /// @param allowed declared targets; empty: every node
  void plain(String id, Set<NodeId> allowed) {
    plain(target(id, allowed));
  }

  /// @param allowed declared targets; empty: every node
  void dispatch(DispatchRequest request, Set<NodeId> allowed) {
    var target = target(request.node(), allowed);
    if (target.isReserved()) {
      throw TaskFailedException.invalidRoute("cannot dispatch to %s".formatted(target));
    }
    var given = request.id();
    var id = given == null ? Ids.dispatch(ordinal, task.key(), activations.size()) : given;
    if (leadsTo(target)) {
      var by = policy.isPresent() ? task.key() : null;
      add(
          new Activation.Sent(
              new Dispatch(id, target, request.input(), request.metadata(), by, ownPolicy)));
      dispatched++;
    }
  }

  /// A dispatch in the form a route returns it: `{node, input?, id?, metadata?}`.
  void dispatch(ObjectValue object, Set<NodeId> allowed) {
    for (var key : object.asMap().keySet()) {
      if (!DISPATCH_KEYS.contains(key)) {
        throw TaskFailedException.invalidRoute(
            "a dispatch has node, input, id and metadata; found '%s'".formatted(key));
      }
    }
    var id = object.get("id");
    dispatch(
        new DispatchRequest(
            text(object, "node"),
            object(object, "input"),
            id == null || id instanceof Value.Null ? null : text(object, "id"),
            object(object, "metadata")),
        allowed);
  }

  private NodeId target(String id, Set<NodeId> allowed) {
    var target = NodeId.isValid(id) ? new NodeId(id) : null;
    if (target == null || !(graph.has(target) || target.equals(NodeId.END))) {
      throw TaskFailedException.invalidRoute("there is no node '%s' in this graph".formatted(id));
    }
    if (!allowed.isEmpty() && !allowed.contains(target)) {
      throw TaskFailedException.invalidRoute(
          "'%s' is not among the declared targets %s".formatted(id, allowed));
    }
    return target;
  }

  private static String text(ObjectValue object, String key) {
    if (object.get(key) instanceof Value.Text(var text)) {
      return text;
    }
    throw TaskFailedException.invalidRoute("a dispatch needs a string '%s'".formatted(key));
  }

  private static ObjectValue object(ObjectValue object, String key) {
    return switch (object.getOr(key, Value.NULL)) {
      case ObjectValue found -> found;
      case Value.Null _ -> ObjectValue.empty();
      case ListValue _, Value.Bool _, Value.Int _, Value.Real _, Value.Text _ ->
          throw TaskFailedException.invalidRoute(
              "the '%s' of a dispatch must be an object".formatted(key));
    };
  }
}
