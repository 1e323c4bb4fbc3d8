package dev.superstep.definition.store;

import dev.superstep.definition.Codes;
import dev.superstep.definition.GraphName;
import dev.superstep.definition.read.EdgeRules;
import dev.superstep.definition.store.SubgraphReferences.SubgraphCall;
import dev.superstep.definition.type.NodeType.CalledGraph;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Violation;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Checks whether a graph calls itself through the graphs that its nodes run (E41). Recursion is
/// allowed, since a condition may end it, and bounded at run time. It is an error where nothing can
/// end it: each of the nodes on the path runs whenever its graph does.
final class Recursion {
  private static final int GRAPHS_MAX = 1_000;

  private final SubgraphReferences graphs;
  private final CalledGraph own;
  private final PostedGraphs posted;
  private final Set<CalledGraph> seen = new HashSet<>();

  /// @param graph one of those posted
  Recursion(SubgraphReferences graphs, PostedGraphs posted, GraphName graph) {
    this.graphs = graphs;
    this.own = new CalledGraph(graph.text(), Optional.empty());
    this.posted = posted;
  }

  void check(List<SubgraphCall> calls, List<Violation> errors, List<Violation> warnings) {
    var certain = posted.find(own).map(this::certain).orElse(Set.of());
    for (var call : calls) {
      var always =
          certain.contains(call.node()) ? way(call.called(), Which.CERTAIN) : List.<String>of();
      var way = always.isEmpty() ? way(call.called(), Which.ALL) : always;
      if (!always.isEmpty()) {
        errors.add(
            Violation.of(
                call.pointer() + "/graph",
                Codes.ENDLESS_RECURSION,
                "this node always runs, and comes back to this graph without end: %s; let a condition lead to it"
                    .formatted(text(way))));
      } else if (!way.isEmpty()) {
        warnings.add(
            Violation.of(
                call.pointer() + "/graph",
                Codes.RECURSIVE_GRAPH,
                "this graph can come back to itself: %s; runs that nest deeper than superstep.subgraphs.nesting-max fail"
                    .formatted(text(way))));
      }
    }
  }

  private enum Which {
    ALL,
    CERTAIN
  }

  private String text(List<String> way) {
    return own.graph() + " → " + String.join(" → ", way);
  }

  /// The graphs from `called` to this one; empty: there is no recursion.
  private List<String> way(CalledGraph called, Which which) {
    seen.clear();
    var way = new ArrayList<String>();
    return find(called, which, way) ? way : List.of();
  }

  private boolean find(CalledGraph called, Which which, List<String> way) {
    way.add(called.graph());
    if (called.equals(own)) {
      return true;
    }
    if (isOfInterest(called) && seen.size() < GRAPHS_MAX && seen.add(called)) {
      var next = posted.find(called).or(() -> graphs.definition(called));
      for (var call : next.map(it -> calls(it, called, which)).orElse(List.of())) {
        if (find(call.called(), which, way)) {
          return true;
        }
      }
    }
    way.removeLast();
    return false;
  }

  /// Stored graphs come back to an inline graph only through the definition around it, whose own
  /// check finds that.
  private boolean isOfInterest(CalledGraph called) {
    return !GraphName.of(own.graph()).isInline()
        || (GraphName.of(called.graph()).isInline() && posted.has(called));
  }

  private List<SubgraphCall> calls(ObjectValue graph, CalledGraph owner, Which which) {
    var calls = graphs.calls(graph, owner);
    if (which == Which.ALL || calls.isEmpty()) {
      return calls;
    }
    var certain = certain(graph);
    return calls.stream().filter(it -> certain.contains(it.node())).toList();
  }

  /// The nodes that run in every run of the graph: unconditional edges lead there, from nodes that
  /// cannot go elsewhere.
  private Set<String> certain(ObjectValue graph) {
    var wanderers = dynamicRouters(graph);
    var reached = new LinkedHashSet<String>();
    var open = new ArrayDeque<>(List.of(NodeId.START.value()));
    while (!open.isEmpty()) {
      var from = open.pop();
      for (var edge : graph.listOrEmpty("edges")) {
        for (var target : certainTargets(edge, from)) {
          if (reached.add(target) && !wanderers.contains(target)) {
            open.push(target);
          }
        }
      }
    }
    return reached;
  }

  private static List<String> certainTargets(Value value, String from) {
    if (!(value instanceof ObjectValue edge)) {
      return List.of();
    }
    boolean certain =
        edge.texts("from").equals(List.of(from))
            && !edge.has("condition")
            && !edge.has("route")
            && !EdgeRules.isError(edge);
    return certain ? edge.texts("to") : List.of();
  }

  /// Nodes whose results, or whose choice of one edge, may lead elsewhere.
  private Set<String> dynamicRouters(ObjectValue graph) {
    var wanderers = new HashSet<String>();
    for (var value : graph.listOrEmpty("nodes")) {
      if (value instanceof ObjectValue node) {
        var config = node.objectOrEmpty("config");
        boolean wanders =
            node.has("edge_mode") || graphs.type(node).map(it -> it.mayRoute(config)).orElse(true);
        if (wanders) {
          node.findText("id").ifPresent(wanderers::add);
        }
      }
    }
    return wanderers;
  }
}
