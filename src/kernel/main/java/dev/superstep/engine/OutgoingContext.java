package dev.superstep.engine;

import dev.superstep.context.ContextException;
import dev.superstep.context.Glob;
import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.run.Task;
import dev.superstep.engine.run.TaskError;
import dev.superstep.engine.run.TaskFailedException;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Scope;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The prompt context as it leaves a task: what its edges see of it, by which origin it is passed,
/// and whether a target can use it (P11–P13).
final class OutgoingContext {
  /// Where the run keeps no prompt context.
  static final OutgoingContext NONE = new OutgoingContext(null);

  private final @Nullable Leaving leaving;
  private @Nullable PromptContext outgoing;

  /// @param added variables that the task sets
  /// @param error variables about its failure, which no filter of the node keeps back
  private record Leaving(
      SuperstepContext superstepContext, Task task, ObjectValue added, ObjectValue error) {}

  private OutgoingContext(@Nullable Leaving leaving) {
    this.leaving = leaving;
  }

  /// @param added variables that the task sets
  public static OutgoingContext of(
      SuperstepContext superstepContext, Task task, ObjectValue added) {
    return superstepContext.at().context().isEmpty()
        ? NONE
        : new OutgoingContext(new Leaving(superstepContext, task, added, ObjectValue.empty()));
  }

  /// @param error variables about the failure of the task
  public static OutgoingContext failed(
      SuperstepContext superstepContext, Task task, ObjectValue error) {
    return superstepContext.at().context().isEmpty()
        ? NONE
        : new OutgoingContext(new Leaving(superstepContext, task, ObjectValue.empty(), error));
  }

  /// Whether the origins of activations are noted.
  boolean notes() {
    return leaving != null;
  }

  /// Whether each task passes on a context of its own.
  boolean chains() {
    return leaving != null && plan(leaving).mode() == ContextPlan.PlanMode.CHAIN;
  }

  /// Fails the task if what it passes on cannot be made, before anything follows from its result.
  ///
  /// @throws TaskFailedException if a filter of its node fails
  public void requireOutgoing() {
    if (leaving == null
        || !chains()
        || !plan(leaving).node(leaving.task().key().node()).callsOut()) {
      return;
    }
    try {
      outgoing(leaving);
    } catch (ContextException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e; // the driver is being stopped, which is no failure of the task
      }
      throw new TaskFailedException(TaskError.permanent(e.code(), String.valueOf(e.getMessage())));
    }
  }

  ActivationOrigin origin(String edge) {
    return new ActivationOrigin(edge, leaving != null && chains() ? leaving.task().key() : null);
  }

  /// What of the required context a target would lack on this edge; empty unless the edge is to be
  /// skipped then. Siblings are ignored, as they are in conditions (E22).
  List<Glob> missing(String edge, NodeId target) {
    if (leaving == null || !plan(leaving).skips(edge) || !plan(leaving).requires(target)) {
      return List.of();
    }
    try {
      Scope scope = around(leaving);
      var led = plan(leaving).edge(edge).context().view(outgoing(leaving), scope::get);
      var node = plan(leaving).node(target);
      return node.unmet(node.view(led.context(), scope::get).context());
    } catch (ContextException e) {
      // The target itself will report it: a processor of its own has failed.
      return List.of();
    }
  }

  /// What conditions and routes see: the outgoing context in place of the task's own view.
  public Scope over(Scope scope) {
    if (leaving == null) {
      return scope;
    }
    var from = leaving;
    return name ->
        switch (name) {
          case "template" -> Value.of(outgoing(from).template());
          case "variables" -> outgoing(from).variables();
          case "metadata" -> outgoing(from).metadata();
          case "history" -> outgoing(from).history();
          default -> scope.get(name);
        };
  }

  private PromptContext outgoing(Leaving from) {
    var known = outgoing;
    if (known == null) {
      var views =
          new ContextViews(
              from.superstepContext().program().contexts(), from.superstepContext().at());
      var key = from.task().key();
      known =
          from.error().isEmpty()
              ? views.outgoing(key, from.added(), around(from)::get)
              : views
                  .outgoingOrNone(key, from.added(), around(from)::get)
                  .plusVariables(from.error());
      outgoing = known;
    }
    return known;
  }

  private static Scope around(Leaving from) {
    return new AttemptCall(
        from.superstepContext(),
        from.task(),
        from.superstepContext().at().state(),
        AttemptCall.Attempt.FIRST);
  }

  private static ContextPlan plan(Leaving leaving) {
    return leaving.superstepContext().program().contexts();
  }
}
