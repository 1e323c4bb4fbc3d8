package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.check.DeclaredNames;
import dev.superstep.definition.form.Item;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.Accessors;
import java.util.List;

/// Checks which keys of an edge go together (E23–E27, E32).
public final class EdgeRules {
  private static final List<String> OF_ROUTES = List.of("targets", "route_map", "if_empty");
  private static final List<String> OF_ERRORS = List.of("error_codes", "error_to");
  private static final List<String> NOT_OF_JOINS = List.of("condition", "route");

  private EdgeRules() {}

  public static boolean isError(Accessors edge) {
    return edge.isText("type", "error");
  }

  static boolean isJoin(Accessors edge) {
    return edge.listOrEmpty("from").size() > 1;
  }

  static void check(Item edge, DeclaredNames declaredNames) {
    edge.names("from").forEach(it -> checkSource(edge, it, declaredNames));
    checkWhereTo(edge);
    checkReferences(edge, declaredNames);
    if (isJoin(edge)) {
      checkJoin(edge);
    }
    if (isError(edge)) {
      refuse("weight", edge, "an error edge has no weight; remove it");
    } else {
      OF_ERRORS.forEach(it -> refuse(it, edge, "is for edges of type 'error' only"));
    }
  }

  private static void checkSource(Item edge, Item.Name source, DeclaredNames declaredNames) {
    if (source.text().equals(NodeId.END.value())) {
      source.at().error(Codes.INVALID_EDGE, "nothing leads on from __end__; remove the edge");
    } else if (source.text().equals(NodeId.START.value())) {
      checkStart(edge, source.at());
    } else {
      declaredNames.checkNode(source.text(), source.at());
    }
  }

  private static void checkStart(Item edge, Location source) {
    if (isJoin(edge)) {
      source.error(
          Codes.INVALID_JOIN, "__start__ cannot be joined; draw an edge of its own from it");
    }
    if (isError(edge)) {
      edge.error("type", Codes.INVALID_EDGE, "__start__ runs nothing and cannot fail");
    }
  }

  private static void checkWhereTo(Item edge) {
    if (edge.has("route")) {
      refuse("to", edge, "an edge has either 'to' or 'route'; remove one");
      return;
    }
    if (!edge.has("to")) {
      edge.error("to", Codes.MISSING_FIELD, "an edge needs 'to' or 'route'");
    }
    OF_ROUTES.forEach(it -> refuse(it, edge, "is for edges with 'route' only"));
  }

  private static void checkReferences(Item edge, DeclaredNames declaredNames) {
    declaredNames.checkTargets(edge, "to", "targets", "if_empty");
    edge.names("error_to").forEach(it -> declaredNames.checkChannel(it.text(), it.at()));
    var map = edge.in("route_map");
    for (var key : map.object().asMap().keySet()) {
      map.names(key).forEach(it -> checkMapped(edge, it, declaredNames));
    }
  }

  /// A key that leads out of the declared targets could only fail (E25).
  private static void checkMapped(Item edge, Item.Name mapped, DeclaredNames declaredNames) {
    var id = mapped.text();
    declaredNames.checkTarget(id, mapped.at());
    boolean known = declaredNames.nodes().contains(id) || id.equals(NodeId.END.value());
    if (known && edge.has("targets") && !edge.texts("targets").contains(id)) {
      mapped
          .at()
          .error(
              Codes.UNDECLARED_TARGET,
              "node '%s' is not among the edge's targets; add it there".formatted(id));
    }
  }

  private static void checkJoin(Item edge) {
    for (var key : NOT_OF_JOINS) {
      edge.refuse(
          key,
          Codes.INVALID_JOIN,
          "an edge with several sources has no '%s'; put a router node behind it".formatted(key));
    }
    if (isError(edge)) {
      edge.error(
          "type", Codes.INVALID_JOIN, "an error edge has one source; draw one from each node");
    }
    refuse("weight", edge, "an edge with several sources has no weight; remove it");
  }

  private static void refuse(String key, Item edge, String reason) {
    edge.refuse(key, Codes.NOT_APPLICABLE, "'%s': %s".formatted(key, reason));
  }
}
