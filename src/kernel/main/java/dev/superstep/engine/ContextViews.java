package dev.superstep.engine;

import dev.superstep.context.ConditionScope;
import dev.superstep.context.ContextException;
import dev.superstep.context.ContextMerge;
import dev.superstep.context.FailedCondition;
import dev.superstep.context.Glob;
import dev.superstep.context.PromptContext;
import dev.superstep.context.Trace;
import dev.superstep.context.View;
import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.engine.checkpoint.Checkpoint;
import dev.superstep.engine.run.TaskKey;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// Computes the prompt context that reaches the tasks of one superstep (P8–P12): over the edges
/// that activated them, merged where there are several, as their nodes take it.
public final class ContextViews {
  /// The code of tasks that lack context they require (P13).
  public static final String INCOMPATIBLE = "context_incompatible";

  private final ContextPlan plan;
  private final Checkpoint at;

  public ContextViews(ContextPlan plan, Checkpoint at) {
    this.plan = plan;
    this.at = at;
  }

  /// What a task receives, and why (P17).
  ///
  /// @param type how its node takes prompt contexts
  /// @param origins of the task; empty: none is known, it gets the run's whole context
  /// @param items of the contexts that were passed to it, each with its fate
  public record Explained(
      TaskKey task,
      String type,
      List<ActivationOrigin> origins,
      PromptContext context,
      List<Trace.Item> items,
      List<FailedCondition> failures) {}

  /// What the node of a task sees, and why.
  public Explained explain(TaskKey task, ConditionScope around) {
    var contexts = new ArrayList<PromptContext>();
    var traces = new ArrayList<Trace>();
    for (var activationOrigin : origins(task)) {
      var passed = passed(activationOrigin);
      var trace = Trace.of(passed);
      var edge = plan.edge(activationOrigin.edge()).context();
      contexts.add(edge.explain(passed, around, trace, activationOrigin.edge()).context());
      traces.add(trace);
    }
    if (contexts.isEmpty()) {
      contexts.add(whole());
      traces.add(Trace.of(whole()));
    }
    var trace = Trace.join(traces);
    var node = plan.node(task.node());
    var view = node.explain(merged(contexts), around, trace, task.node().value());
    return new Explained(
        task, node.type().key(), origins(task), view.context(), trace.items(), trace.failures());
  }

  /// What the node of a task sees.
  public View view(TaskKey task, ConditionScope around) {
    var incoming = incoming(task, around);
    return plan.node(task.node()).view(incoming.context(), around).after(incoming.failures());
  }

  /// Merges what the edges pass to a task, before its node takes it.
  View incoming(TaskKey task, ConditionScope around) {
    var activationOrigins = origins(task);
    if (activationOrigins.isEmpty()) {
      return View.of(whole());
    }
    var contexts = new ArrayList<PromptContext>(activationOrigins.size());
    var failures = new ArrayList<FailedCondition>(0);
    for (var activationOrigin : activationOrigins) {
      var view =
          plan.edge(activationOrigin.edge()).context().view(passed(activationOrigin), around);
      contexts.add(view.context());
      failures.addAll(view.failures());
    }
    return new View(merged(contexts), failures);
  }

  /// The context that a task passes on: in mode `view` the run's context and what the task adds; in
  /// mode `chain` what its node's filter lets through of what has arrived at it and what it adds,
  /// untransformed.
  ///
  /// @param added variables that the task sets
  public PromptContext outgoing(TaskKey task, ObjectValue added, ConditionScope around) {
    return switch (plan.mode()) {
      case VIEW -> whole().plusVariables(added);
      case CHAIN ->
          plan.node(task.node())
              .outgoing(incoming(task, around).context().plusVariables(added), around)
              .context();
    };
  }

  /// The context that a task passes on once it cannot fail any more: only the template if a filter
  /// of its node fails, because nothing passes an undecided filter.
  public PromptContext outgoingOrNone(TaskKey task, ObjectValue added, ConditionScope around) {
    try {
      return outgoing(task, added, around);
    } catch (ContextException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e; // the driver is being stopped: nothing is decided
      }
      return ContextPlan.PASS_NONE.view(whole(), around).context();
    }
  }

  public static ListValue texts(List<Glob> globs) {
    return ListValue.texts(globs.stream().map(Glob::toString).toArray(String[]::new));
  }

  private PromptContext merged(List<PromptContext> contexts) {
    return contexts.size() == 1
        ? contexts.getFirst()
        : ContextMerge.merge(contexts, whole().history());
  }

  private List<ActivationOrigin> origins(TaskKey task) {
    var activationOrigins = at.pending().origins().to(task);
    if (activationOrigins.size() < 2) {
      return activationOrigins;
    }
    return activationOrigins.stream()
        .sorted(Comparator.comparingInt(it -> plan.edge(it.edge()).place()))
        .toList();
  }

  /// The context that an origin's edge filters: its source's outgoing context, or the run's.
  private PromptContext passed(ActivationOrigin activationOrigin) {
    var source = activationOrigin.source();
    var passed = source == null ? null : at.pending().origins().passed().get(source);
    return passed == null ? whole() : passed.over(whole());
  }

  private PromptContext whole() {
    return at.context().orElse(PromptContext.EMPTY);
  }
}
