package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.check.DeclaredNames;
import dev.superstep.definition.form.Item;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Edge;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Target;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/// Reads one edge whose keys have been checked.
final class EdgeReader {
  private final ExpressionReader expressions;

  EdgeReader(ExpressionReader expressions) {
    this.expressions = expressions;
  }

  /// The edge; empty if it has errors, which have then been reported.
  Optional<Edge> read(String id, Item edge, DeclaredNames declaredNames) {
    EdgeRules.check(edge, declaredNames);
    var from = ids(edge.texts("from"));
    var condition = condition(edge);
    var target = target(edge);
    if (from.isEmpty() || target.isEmpty() || condition.isPresent() != edge.has("condition")) {
      return Optional.empty();
    }
    if (EdgeRules.isJoin(edge)) {
      return Optional.of(new Edge.Join(id, from, ids(edge.texts("to")), mode(edge)));
    }
    return Optional.of(
        EdgeRules.isError(edge)
            ? new Edge.ErrorRoute(
                id,
                from.getFirst(),
                target.get(),
                condition,
                edge.texts("error_codes"),
                edge.findText("error_to"))
            : new Edge.Flow(
                id, from.getFirst(), target.get(), condition, edge.decimal("weight", 0)));
  }

  private Optional<Condition> condition(Item edge) {
    return edge.findText("condition")
        .flatMap(it -> expressions.condition(it, edge.at("condition")));
  }

  private Optional<Target> target(Item edge) {
    if (!edge.has("route")) {
      return Optional.of(new Target.Nodes(ids(edge.texts("to"))));
    }
    if (!edge.has("targets") && !edge.has("route_map")) {
      edge.at()
          .warn(
              Codes.UNDECLARED_TARGETS,
              "declare in 'targets' which nodes the route may reach: they are checked and drawn");
    }
    return edge.findText("route")
        .flatMap(it -> expressions.route(it, edge.at("route")))
        .map(it ->
            new Target.Computed(
                it,
                routeMap(edge),
                new LinkedHashSet<>(ids(edge.texts("targets"))),
                edge.findText("if_empty").map(NodeId::new)));
  }

  private static Map<String, NodeId> routeMap(Item edge) {
    var map = new LinkedHashMap<String, NodeId>();
    var routes = edge.objectOrEmpty("route_map");
    for (var key : routes.asMap().keySet()) {
      routes.findText(key).ifPresent(it -> map.put(key, new NodeId(it)));
    }
    return map;
  }

  private static Edge.Join.Mode mode(Item edge) {
    return Edge.Join.Mode.valueOf(edge.findText("join").orElse("all").toUpperCase(Locale.ROOT));
  }

  private static List<NodeId> ids(List<String> names) {
    return names.stream().map(NodeId::new).toList();
  }
}
