package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.check.DeclaredNames;
import dev.superstep.graph.Condition;
import dev.superstep.graph.Edge;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Target;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
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
  Optional<Edge> read(String id, ObjectValue edge, DeclaredNames declaredNames, Location at) {
    EdgeRules.check(edge, declaredNames, at);
    var from = ids(edge.texts("from"));
    var condition = condition(edge, at);
    var target = target(edge, at);
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

  private Optional<Condition> condition(ObjectValue edge, Location at) {
    return edge.findText("condition").flatMap(it -> expressions.condition(it, at.key("condition")));
  }

  private Optional<Target> target(ObjectValue edge, Location at) {
    if (!edge.has("route")) {
      return Optional.of(new Target.Nodes(ids(edge.texts("to"))));
    }
    if (!edge.has("targets") && !edge.has("route_map")) {
      at.warn(
          Codes.UNDECLARED_TARGETS,
          "declare in 'targets' which nodes the route may reach: they are checked and drawn");
    }
    return edge.findText("route")
        .flatMap(it -> expressions.route(it, at.key("route")))
        .map(it ->
            new Target.Computed(
                it,
                routeMap(edge),
                new LinkedHashSet<>(ids(edge.texts("targets"))),
                edge.findText("if_empty").map(NodeId::new)));
  }

  private static Map<String, NodeId> routeMap(ObjectValue edge) {
    var map = new LinkedHashMap<String, NodeId>();
    edge.objectOrEmpty("route_map")
        .forEach((key, value) -> {
          if (value instanceof Value.Text(var id)) {
            map.put(key, new NodeId(id));
          }
        });
    return map;
  }

  private static Edge.Join.Mode mode(ObjectValue edge) {
    return Edge.Join.Mode.valueOf(edge.findText("join").orElse("all").toUpperCase(Locale.ROOT));
  }

  private static List<NodeId> ids(List<String> names) {
    return names.stream().map(NodeId::new).toList();
  }
}
