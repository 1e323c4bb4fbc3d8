package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.check.DeclaredNames;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.List;

/// Checks which keys of an edge go together (E23–E27, E32).
public final class EdgeRules {
  private static final List<String> OF_ROUTES = List.of("targets", "route_map", "if_empty");
  private static final List<String> OF_ERRORS = List.of("error_codes", "error_to");
  private static final List<String> NOT_OF_JOINS = List.of("condition", "route");

  private EdgeRules() {}

  public static boolean isError(ObjectValue edge) {
    return edge.isText("type", "error");
  }

  static boolean isJoin(ObjectValue edge) {
    return edge.listOrEmpty("from").size() > 1;
  }

  static void check(ObjectValue edge, DeclaredNames declaredNames, Location at) {
    checkSources(edge, declaredNames, at);
    checkWhereTo(edge, at);
    checkReferences(edge, declaredNames, at);
    if (isJoin(edge)) {
      checkJoin(edge, at);
    }
    if (isError(edge)) {
      refuse("weight", edge, at, "an error edge has no weight; remove it");
    } else {
      OF_ERRORS.forEach(it -> refuse(it, edge, at, "is for edges of type 'error' only"));
    }
  }

  private static void checkSources(ObjectValue edge, DeclaredNames declaredNames, Location at) {
    var from = edge.listOrEmpty("from");
    for (int i = 0; i < from.size(); i++) {
      var location = at.key("from").name(i);
      if (!(from.get(i) instanceof Value.Text(var id))) {
        continue;
      }
      if (id.equals(NodeId.END.value())) {
        location.error(Codes.INVALID_EDGE, "nothing leads on from __end__; remove the edge");
      } else if (id.equals(NodeId.START.value())) {
        checkStart(edge, at, location);
      } else {
        declaredNames.checkNode(id, location);
      }
    }
  }

  private static void checkStart(ObjectValue edge, Location at, Location source) {
    if (isJoin(edge)) {
      source.error(
          Codes.INVALID_JOIN, "__start__ cannot be joined; draw an edge of its own from it");
    }
    if (isError(edge)) {
      at.key("type").error(Codes.INVALID_EDGE, "__start__ runs nothing and cannot fail");
    }
  }

  private static void checkWhereTo(ObjectValue edge, Location at) {
    if (edge.has("route")) {
      refuse("to", edge, at, "an edge has either 'to' or 'route'; remove one");
      return;
    }
    if (!edge.has("to")) {
      at.key("to").error(Codes.MISSING_FIELD, "an edge needs 'to' or 'route'");
    }
    OF_ROUTES.forEach(it -> refuse(it, edge, at, "is for edges with 'route' only"));
  }

  private static void checkReferences(ObjectValue edge, DeclaredNames declaredNames, Location at) {
    checkTargets("to", edge, declaredNames, at);
    checkTargets("targets", edge, declaredNames, at);
    edge.findText("if_empty").ifPresent(it -> declaredNames.checkTarget(it, at.key("if_empty")));
    edge.findText("error_to").ifPresent(it -> declaredNames.checkChannel(it, at.key("error_to")));
    edge.findObject("route_map")
        .ifPresent(map ->
            map.asMap()
                .keySet()
                .forEach(key ->
                    map.findText(key)
                        .ifPresent(it ->
                            checkMapped(edge, it, declaredNames, at.key("route_map").key(key)))));
  }

  /// A key that leads out of the declared targets could only fail (E25).
  private static void checkMapped(
      ObjectValue edge, String id, DeclaredNames declaredNames, Location at) {
    declaredNames.checkTarget(id, at);
    boolean known = declaredNames.nodes().contains(id) || id.equals(NodeId.END.value());
    if (known && edge.has("targets") && !edge.texts("targets").contains(id)) {
      at.error(
          Codes.UNDECLARED_TARGET,
          "node '%s' is not among the edge's targets; add it there".formatted(id));
    }
  }

  private static void checkTargets(
      String key, ObjectValue edge, DeclaredNames declaredNames, Location at) {
    var targets = edge.listOrEmpty(key);
    for (int i = 0; i < targets.size(); i++) {
      if (targets.get(i) instanceof Value.Text(var id)) {
        declaredNames.checkTarget(id, at.key(key).name(i));
      }
    }
  }

  private static void checkJoin(ObjectValue edge, Location at) {
    for (var key : NOT_OF_JOINS) {
      if (edge.has(key)) {
        at.key(key)
            .error(
                Codes.INVALID_JOIN,
                "an edge with several sources has no '%s'; put a router node behind it"
                    .formatted(key));
      }
    }
    if (isError(edge)) {
      at.key("type")
          .error(Codes.INVALID_JOIN, "an error edge has one source; draw one from each node");
    }
    refuse("weight", edge, at, "an edge with several sources has no weight; remove it");
  }

  private static void refuse(String key, ObjectValue edge, Location at, String reason) {
    if (edge.has(key)) {
      at.key(key).error(Codes.NOT_APPLICABLE, "'%s': %s".formatted(key, reason));
    }
  }
}
