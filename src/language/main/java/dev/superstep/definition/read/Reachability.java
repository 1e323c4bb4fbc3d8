package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Warns of nodes that nothing can lead to. A route or node that may lead anywhere ends the search.
final class Reachability {
  private static final String ANYWHERE = "*";
  private static final List<String> TARGETS = List.of("to", "targets");

  private final NodeTypes types;

  Reachability(NodeTypes types) {
    this.types = types;
  }

  void check(ObjectValue graph, Location at) {
    var ways = new HashMap<String, Set<String>>();
    graph.objects("edges").forEach(it -> addEdge(it, ways));
    graph
        .objectOrEmpty("inbox")
        .findText("node")
        .ifPresent(it -> add(NodeId.START.value(), Set.of(it), ways));
    if (!ways.containsKey(NodeId.START.value())) {
      return; // the first node has no id, which is the mistake
    }
    graph.objects("nodes").forEach(it -> addNode(it, ways));
    var reached = reach(ways);
    if (reached.contains(ANYWHERE)) {
      return;
    }
    for (var node : Item.each(graph, "nodes", at)) {
      node.findText("id")
          .filter(it -> !reached.contains(it))
          .ifPresent(it ->
              node.at()
                  .warn(
                      Codes.UNREACHABLE_NODE,
                      ("nothing leads to node '%s'; add an edge to it, name it in the targets of"
                              + " the node that dispatches to it, or remove it")
                          .formatted(it)));
    }
  }

  private static void addEdge(ObjectValue edge, Map<String, Set<String>> ways) {
    var targets = new HashSet<String>();
    TARGETS.forEach(it -> targets.addAll(edge.texts(it)));
    edge.findText("if_empty").ifPresent(targets::add);
    var mapped = edge.objectOrEmpty("route_map");
    mapped.asMap().keySet().forEach(it -> mapped.findText(it).ifPresent(targets::add));
    if (edge.has("route") && !edge.has("targets")) {
      targets.add(ANYWHERE);
    }
    edge.texts("from").forEach(it -> add(it, targets, ways));
  }

  private void addNode(ObjectValue node, Map<String, Set<String>> ways) {
    var targets = new HashSet<>(node.texts("targets"));
    node.findText("if_empty").ifPresent(targets::add);
    if (targets.isEmpty() && mayRoute(node)) {
      targets.add(ANYWHERE);
    }
    node.findText("id").ifPresent(it -> add(it, targets, ways));
  }

  private boolean mayRoute(ObjectValue node) {
    return node.findText("type")
        .flatMap(types::find)
        .map(it -> it.mayRoute(node.objectOrEmpty("config")))
        .orElse(true);
  }

  private static void add(String from, Set<String> targets, Map<String, Set<String>> ways) {
    ways.computeIfAbsent(from, _ -> new HashSet<>()).addAll(targets);
  }

  private static Set<String> reach(Map<String, Set<String>> ways) {
    var reached = new HashSet<String>();
    var open = new ArrayDeque<>(List.of(NodeId.START.value()));
    while (!open.isEmpty()) {
      for (var target : ways.getOrDefault(open.pop(), Set.of())) {
        if (reached.add(target)) {
          open.push(target);
        }
      }
    }
    return reached;
  }
}
