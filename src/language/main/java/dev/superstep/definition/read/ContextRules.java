package dev.superstep.definition.read;

import dev.superstep.context.ContextRuleReader;
import dev.superstep.context.EdgeContext;
import dev.superstep.context.NodeContext;
import dev.superstep.context.NodeContextType;
import dev.superstep.definition.Codes;
import dev.superstep.definition.form.ContextTables;
import dev.superstep.definition.form.Item;
import dev.superstep.engine.ContextPlan;
import dev.superstep.engine.ContextPlan.EdgeRule;
import dev.superstep.engine.ContextPlan.Unfit;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Reads the rules of nodes and edges for the prompt context (P8–P13, P18, P19).
final class ContextRules {
  private static final List<String> OF_NODES =
      List.of(
          "context_type",
          "context_filter",
          "context_filters",
          "processor_config",
          "required_context");
  private static final List<String> OF_EDGES = List.of("context_filter", "on_incompatible");

  private final ContextRuleReader reader;

  ContextRules(ContextRuleReader reader) {
    this.reader = reader;
  }

  /// Whether something in the graph is about prompt contexts (P2).
  public static boolean areIn(ObjectValue graph, Location at) {
    return graph.has("context")
        || has(graph, "nodes", OF_NODES, at)
        || has(graph, "edges", OF_EDGES, at);
  }

  /// Whether runs of the graph keep a prompt context: one of an error edge passes the error on in
  /// it, whatever else the graph declares (E32).
  static boolean areKept(ObjectValue graph, Location at) {
    return areIn(graph, at)
        || Item.each(graph, "edges", at).stream().anyMatch(it -> EdgeRules.isError(it));
  }

  private static boolean has(ObjectValue graph, String list, List<String> keys, Location at) {
    return Item.each(graph, list, at).stream().anyMatch(item -> keys.stream().anyMatch(item::has));
  }

  /// A graph without rules for prompt contexts gets [ContextPlan#NONE].
  ContextPlan read(ObjectValue graph, Location at) {
    if (!areIn(graph, at)) {
      return ContextPlan.NONE;
    }
    var nodes = nodes(graph, at);
    TemplateVariables.check(graph, nodes, at);
    var edges = edges(graph, nodes, at);
    var context = new Item(graph, at).in("context");
    checkHistory(context);
    var declared = ContextTables.CONTEXT.of(context.object());
    return new ContextPlan(declared.mode(), nodes, edges, declared.history());
  }

  private static void checkHistory(Item context) {
    var history = context.in("history");
    if (history.isTrue("unbounded") && (history.has("keep_last") || history.has("max_bytes"))) {
      context.error(
          "history",
          Codes.NOT_APPLICABLE,
          "unbounded history has neither keep_last nor max_bytes; leave out one or the other");
    }
  }

  private Map<NodeId, NodeContext> nodes(ObjectValue graph, Location at) {
    var nodes = new LinkedHashMap<NodeId, NodeContext>();
    for (var item : Item.each(graph, "nodes", at)) {
      var read = reader.node(item.object(), item.at());
      item.findText("id").filter(NodeId::isValid).ifPresent(it -> nodes.put(new NodeId(it), read));
    }
    return nodes;
  }

  private Map<String, EdgeRule> edges(
      ObjectValue graph, Map<NodeId, NodeContext> nodes, Location at) {
    var ids = EdgeIds.of(graph.listOrEmpty("edges"));
    var edges = new LinkedHashMap<String, EdgeRule>();
    for (var item : Item.each(graph, "edges", at)) {
      var filter = reader.edge(item.object(), item.at());
      checkTargets(item, filter, nodes);
      boolean skips = item.has("on_incompatible");
      if (skips) {
        checkSkip(item, nodes);
      }
      edges.put(
          ids.get(item.index()),
          new EdgeRule(item.index(), filter, skips ? Unfit.SKIPPED : Unfit.TAKEN));
    }
    return edges;
  }

  /// A filter that lets through nothing of what its target takes is a mistake most of the time. It
  /// is no error: template, metadata and history arrive.
  private static void checkTargets(Item edge, EdgeContext filter, Map<NodeId, NodeContext> nodes) {
    for (var target : targets(edge)) {
      var node = NodeId.isValid(target) ? nodes.get(new NodeId(target)) : null;
      if (edge.has("context_filter") && node != null && !filter.supportsContextType(node.type())) {
        edge.warn(
            "context_filter",
            Codes.NO_EFFECT,
            "nothing that it includes reaches '%s', whose context_type %s takes %s"
                .formatted(target, node.type().key(), NodeContextType.variables(node.type())));
      }
    }
  }

  private static Set<String> targets(Item edge) {
    var targets = new LinkedHashSet<>(edge.texts("to"));
    targets.addAll(edge.texts("targets"));
    return targets;
  }

  private static void checkSkip(Item edge, Map<NodeId, NodeContext> nodes) {
    var location = edge.at().key("on_incompatible");
    if (EdgeRules.isJoin(edge)) {
      location.error(
          Codes.INVALID_JOIN,
          "an edge with several sources has no 'on_incompatible'; put a router node behind it");
    }
    if (edge.texts("from").contains(NodeId.START.value())) {
      location.error(
          Codes.NOT_APPLICABLE,
          "an edge from __start__ is always taken; put a router node between");
    }
    var targets = edge.texts("to");
    if (!targets.isEmpty() && targets.stream().noneMatch(it -> requires(it, nodes))) {
      location.warn(
          Codes.NO_EFFECT,
          "has no effect: no target of the edge has a required_context; remove it");
    }
  }

  private static boolean requires(String id, Map<NodeId, NodeContext> nodes) {
    return Optional.of(id)
        .filter(NodeId::isValid)
        .map(it -> nodes.get(new NodeId(it)))
        .filter(ContextPlan::requires)
        .isPresent();
  }
}
