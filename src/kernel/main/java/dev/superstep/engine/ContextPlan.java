package dev.superstep.engine;

import dev.superstep.context.ContextCache;
import dev.superstep.context.EdgeContext;
import dev.superstep.context.EdgeContextFilter;
import dev.superstep.context.HistoryLimit;
import dev.superstep.context.NodeContext;
import dev.superstep.context.PromptContext;
import dev.superstep.engine.checkpoint.ActivationOrigin;
import dev.superstep.graph.NodeId;
import java.util.Map;

/// The compiled prompt context rules of a graph: how each node takes contexts and what each edge
/// passes on.
///
/// @param nodes those that do not simply take what arrives
/// @param edges by id, in declaration order
/// @param history how much of it a run keeps
public record ContextPlan(
    PlanMode mode,
    Map<NodeId, NodeContext> nodes,
    Map<String, EdgeRule> edges,
    HistoryLimit history) {
  public static final ContextPlan NONE =
      new ContextPlan(PlanMode.VIEW, Map.of(), Map.of(), HistoryLimit.DEFAULT);
  static final EdgeContext PASS_NONE =
      new EdgeContext(new EdgeContextFilter.PassNone(), ContextCache.NONE);
  private static final EdgeRule UNKNOWN = new EdgeRule(0, PASS_NONE, Unfit.TAKEN);
  private static final EdgeRule NO_EDGE = new EdgeRule(-1, EdgeContext.PASS_ALL, Unfit.TAKEN);

  /// How contexts propagate (P12).
  public enum PlanMode {
    /// Edges filter the run's whole context.
    VIEW,
    /// Edges filter what their source has passed on.
    CHAIN
  }

  /// How an edge is treated whose target cannot use the context that it would pass (P13).
  public enum Unfit {
    TAKEN,
    SKIPPED
  }

  /// @param place in the declaration, from 0
  public record EdgeRule(int place, EdgeContext context, Unfit unfit) {}

  public ContextPlan {
    nodes = Map.copyOf(nodes);
    edges = Map.copyOf(edges);
  }

  /// Whether a node must not run without something of the context (P13).
  public boolean requires(NodeId id) {
    var node = nodes.get(id);
    return node != null && requires(node);
  }

  /// A node that lacks something of an empty context requires something.
  public static boolean requires(NodeContext node) {
    return !node.unmet(PromptContext.EMPTY).isEmpty();
  }

  public NodeContext node(NodeId id) {
    return nodes.getOrDefault(id, NodeContext.PASS_THROUGH);
  }

  /// The rule of an origin's edge. An edge that this version of the graph does not have passes only
  /// the template: a run that was forked into a version without the filter must not lose it
  /// silently.
  public EdgeRule edge(String id) {
    if (id.equals(ActivationOrigin.NO_EDGE) || edges.isEmpty()) {
      return NO_EDGE;
    }
    return edges.getOrDefault(id, UNKNOWN);
  }

  public boolean skips(String edge) {
    var rule = edges.get(edge);
    return rule != null && rule.unfit() == Unfit.SKIPPED;
  }
}
