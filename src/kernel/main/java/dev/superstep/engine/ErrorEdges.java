package dev.superstep.engine;

import dev.superstep.engine.Router.Activated;
import dev.superstep.engine.checkpoint.TaskRecord;
import dev.superstep.engine.run.NodeResult;
import dev.superstep.engine.run.RunBudget;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Graph;
import dev.superstep.graph.Node;
import dev.superstep.graph.Scope;
import dev.superstep.state.Change;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Handles tasks that failed for good (E32): by error edges, `on_error: continue`, or not at all.
final class ErrorEdges {
  private final Graph graph;
  private final Router router;

  ErrorEdges(Graph graph, Router router) {
    this.graph = graph;
    this.router = router;
  }

  /// A failure that the graph takes care of.
  ///
  /// @param result `error_to` and the prompt variables `error.*`; nothing for `continue`
  public record Handling(NodeResult result, Activated activated) {}

  /// Edges see the frozen state, without the task's update.
  ///
  /// @return empty if the superstep must be held
  /// @throws TaskFailedException if an error edge itself cannot be resolved
  public Optional<Handling> handle(
      SuperstepContext superstepContext, Task task, TaskRecord record, TaskError error) {
    return handle(superstepContext, task, record, error, false);
  }

  /// @param tolerated by the policy of its dispatch: without an error edge the task goes on by the
  ///   plain edges of its node (E54)
  Optional<Handling> handle(
      SuperstepContext superstepContext,
      Task task,
      TaskRecord record,
      TaskError error,
      boolean tolerated) {
    if (RunBudget.isUsedUp(error)) {
      return Optional.empty();
    }
    var edges = graph.errorEdgesFrom(task.key().node());
    var activated = Activated.NOTHING;
    if (!edges.isEmpty()) {
      var object = object(task.key(), record.attempts(), error);
      var exit = OutgoingContext.failed(superstepContext, task, variables(object));
      var scope =
          exit.over(AttemptCall.settling(superstepContext, task, record)).with("error", object);
      var open = open(task.node(), error, scope, exit);
      activated = router.routeError(task, open, scope, exit);
      var taken = open.stream().filter(it -> Router.reaches(it, exit)).toList();
      if (!taken.isEmpty()) {
        return Optional.of(new Handling(result(taken, object), activated));
      }
    }
    if (tolerated) {
      var exit = OutgoingContext.failed(superstepContext, task, ObjectValue.empty());
      return Optional.of(new Handling(NodeResult.NOTHING, router.routePlain(task, exit)));
    }
    return task.node().policy().onError() == Node.OnError.FAIL
        ? Optional.empty()
        : Optional.of(new Handling(NodeResult.NOTHING, activated));
  }

  /// The edges that fit, in their order: all of them, or none behind the first that can be taken.
  private List<Edge.ErrorRoute> open(
      Node node, TaskError error, Scope scope, OutgoingContext exit) {
    boolean first = node.routing().errorMode() == Node.EdgeMode.FIRST;
    var open = new ArrayList<Edge.ErrorRoute>();
    for (var edge : graph.errorEdgesFrom(node.id())) {
      if (edge.handles(error.code()) && fits(edge, first, scope)) {
        open.add(edge);
        if (first && Router.reaches(edge, exit)) {
          break;
        }
      }
    }
    return open;
  }

  /// The record of a failed task that the graph handles; empty if it does not, or if that cannot be
  /// decided before its siblings are done.
  public Optional<TaskRecord> handled(
      SuperstepContext superstepContext, Task task, TaskRecord record) {
    return handled(superstepContext, task, record, false);
  }

  Optional<TaskRecord> handled(
      SuperstepContext superstepContext, Task task, TaskRecord record, boolean tolerated) {
    if (!(record.status() instanceof TaskRecord.TaskStatus.Failed(var error))) {
      return Optional.empty();
    }
    try {
      return handle(superstepContext, task, record, error, tolerated)
          .map(it -> record.with(new TaskRecord.TaskStatus.Handled(error, it.result())));
    } catch (TaskFailedException e) {
      return Optional.empty();
    }
  }

  /// The error as expressions and channels see it.
  static ObjectValue object(TaskKey task, int attempt, TaskError error) {
    var object =
        ObjectValue.of("code", error.code())
            .plus("message", error.message())
            .plus("node", task.node().value())
            .plus("superstep", task.superstep())
            .plus("attempt", attempt)
            .plus("details", error.details());
    return task.dispatchId() == null ? object : object.plus("dispatch_id", task.dispatchId());
  }

  private static NodeResult result(List<Edge.ErrorRoute> edges, ObjectValue error) {
    var update = ObjectValue.empty();
    for (var edge : edges) {
      if (edge.errorTo().isPresent()) {
        update = update.plus(edge.errorTo().get(), error);
      }
    }
    return new NodeResult(Change.update(update), null, List.of(), variables(error), null, null);
  }

  private static ObjectValue variables(ObjectValue error) {
    var variables = ObjectValue.empty();
    for (var member : error.asMap().entrySet()) {
      if (!(member.getValue() instanceof ObjectValue object && object.isEmpty())) {
        variables = variables.plus(TaskError.VARIABLES + member.getKey(), member.getValue());
      }
    }
    return variables;
  }

  /// Of those of which one is taken, a condition that cannot be computed does not hold: it may be
  /// about the details of other failures.
  private static boolean fits(Edge.ErrorRoute edge, boolean first, Scope scope) {
    try {
      return isOpen(edge, scope);
    } catch (TaskFailedException e) {
      if (first) {
        return false;
      }
      throw e;
    }
  }

  private static boolean isOpen(Edge.ErrorRoute edge, Scope scope) {
    return edge.condition().isEmpty() || Router.test(edge.id(), edge.condition().get(), scope);
  }
}
