package dev.superstep.engine;

import dev.superstep.context.ContextException;
import dev.superstep.context.ContextMerge;
import dev.superstep.context.FailedCondition;
import dev.superstep.context.Glob;
import dev.superstep.context.PromptContext;
import dev.superstep.context.Surroundings;
import dev.superstep.context.Trace;
import dev.superstep.context.View;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/// What of the prompt context reaches the tasks of one superstep (P8–P12): over the edges that
/// activated them, merged where there are several, as their nodes take it.
public final class ContextViews {
  /// The code of tasks that lack context they require (P13).
  public static final String INCOMPATIBLE = "context_incompatible";

  private final ContextPlan plan;
  private final Checkpoint at;

  ContextViews(ContextPlan plan, Checkpoint at) {
    this.plan = plan;
    this.at = at;
  }

  /// What a task receives, and why (P17).
  ///
  /// @param type how its node takes prompt contexts
  /// @param ways that led to it; empty: none is known, it gets the run's whole context
  /// @param items of the contexts that were led to it, each with its fate
  public record Explained(
      TaskKey task,
      String type,
      List<Way> ways,
      PromptContext context,
      List<Trace.Item> items,
      List<FailedCondition> failures) {}

  /// What the node of a task sees, and why.
  Explained explain(TaskKey task, Surroundings around) {
    var contexts = new ArrayList<PromptContext>();
    var traces = new ArrayList<Trace>();
    for (var way : ways(task)) {
      var passed = passed(way);
      var trace = Trace.of(passed);
      var edge = plan.edge(way.edge()).context();
      contexts.add(edge.explain(passed, around, trace, way.edge()).context());
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
        task, node.type().key(), ways(task), view.context(), trace.items(), trace.failures());
  }

  /// What the node of a task sees.
  View view(TaskKey task, Surroundings around) {
    var incoming = incoming(task, around);
    return plan.node(task.node()).view(incoming.context(), around).after(incoming.failures());
  }

  /// What the edges lead to a task, merged, before its node takes it.
  View incoming(TaskKey task, Surroundings around) {
    var ways = ways(task);
    if (ways.isEmpty()) {
      return View.of(whole());
    }
    var contexts = new ArrayList<PromptContext>(ways.size());
    var failures = new ArrayList<FailedCondition>(0);
    for (var way : ways) {
      var view = plan.edge(way.edge()).context().view(passed(way), around);
      contexts.add(view.context());
      failures.addAll(view.failures());
    }
    return new View(merged(contexts), failures);
  }

  /// What a task passes on: in mode `view` all the run has, and what the task adds; in mode `chain`
  /// what its node's filter lets through of what has arrived at it and what it adds, untransformed.
  ///
  /// @param added variables that the task sets
  PromptContext outgoing(TaskKey task, ObjectValue added, Surroundings around) {
    return switch (plan.mode()) {
      case VIEW -> whole().plusVariables(added);
      case CHAIN ->
          plan.node(task.node())
              .outgoing(incoming(task, around).context().plusVariables(added), around)
              .context();
    };
  }

  /// What a task passes on that cannot fail any more: only the template if a filter of its node
  /// fails, for nothing passes a filter that has not decided.
  PromptContext outgoingOrNone(TaskKey task, ObjectValue added, Surroundings around) {
    try {
      return outgoing(task, added, around);
    } catch (ContextException e) {
      if (Thread.currentThread().isInterrupted()) {
        throw e; // the driver is being stopped: nothing is decided
      }
      return ContextPlan.PASS_NONE.view(whole(), around).context();
    }
  }

  static ListValue texts(List<Glob> globs) {
    return ListValue.texts(globs.stream().map(Glob::toString).toArray(String[]::new));
  }

  private PromptContext merged(List<PromptContext> contexts) {
    return contexts.size() == 1
        ? contexts.getFirst()
        : ContextMerge.merge(contexts, whole().history());
  }

  private List<Way> ways(TaskKey task) {
    var ways = at.pending().ways().to(task);
    if (ways.size() < 2) {
      return ways;
    }
    return ways.stream()
        .sorted(Comparator.comparingInt(it -> plan.edge(it.edge()).place()))
        .toList();
  }

  /// What goes onto a way: what its source has passed on, or all the run has.
  private PromptContext passed(Way way) {
    var source = way.source();
    var passed = source == null ? null : at.pending().ways().passed().get(source);
    return passed == null ? whole() : passed.over(whole());
  }

  private PromptContext whole() {
    return at.context().orElse(PromptContext.EMPTY);
  }
}
