package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.definition.DefinitionLimits;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes edges of `next`, `switch`, `catch` and `on_failure`, and the edge to the first node. They
/// stand behind the edges that the author wrote, in the order of the nodes, and have no ids of
/// their own: what they connect names them, as it names an author's edges.
final class NodeRouting {
  private static final String EDGES = "edges";
  private static final String NODES = "nodes";
  private static final String NEXT = "next";
  private static final String SWITCH = "switch";
  private static final String ON_FAILURE = "on_failure";
  private static final String CATCH = "catch";
  private static final String EDGE_MODE = "edge_mode";
  private static final String ERROR_MODE = "error_mode";

  private final Location at;
  private final Origins.Builder origins;
  private final List<Value> edges;

  /// Node id to where the node says what leads on from it.
  private final Map<String, Location> ways = new HashMap<>();

  /// Node id to where the node says where its failures lead.
  private final Map<String, Location> failures = new HashMap<>();

  private NodeRouting(ListValue edges, Location at, Origins.Builder origins) {
    this.edges = new ArrayList<>(edges.asList());
    this.at = at;
    this.origins = origins;
  }

  static ObjectValue expand(
      ObjectValue definition, DefinitionLimits limits, Location at, Origins.Builder origins) {
    var written = definition.listOrEmpty(EDGES);
    var routing = new NodeRouting(written, at, origins);
    routing.start(definition);
    var nodes = definition.listOrEmpty(NODES);
    for (var item : Item.each(definition, NODES, at)) {
      nodes = nodes.with(item.index(), routing.node(item));
    }
    Item.each(definition, EDGES, at).forEach(routing::refuseTwoWays);
    if (routing.edges.size() > Math.max(written.size(), limits.edgesMax())) {
      at.key(NODES)
          .error(
              Codes.TOO_MANY,
              "next, switch, catch and on_failure make %d edges together with those in 'edges', at most %d are allowed"
                  .formatted(routing.edges.size(), limits.edgesMax()));
      return definition;
    }
    var expanded = definition.has(NODES) ? definition.plus(NODES, nodes) : definition;
    return routing.edges.isEmpty() ? expanded : expanded.plus(EDGES, ListValue.of(routing.edges));
  }

  /// Without an edge from `__start__` the first node is the entry.
  private void start(ObjectValue graph) {
    boolean said =
        Item.each(graph, EDGES, at).stream()
            .anyMatch(it -> it.texts("from").contains(NodeId.START.value()));
    if (!said
        && !graph.listOrEmpty(NODES).isEmpty()
        && graph.listOrEmpty(NODES).get(0) instanceof ObjectValue first
        && first.get("id") instanceof Value.Text(var id)) {
      add(
          edge(NodeId.START.value()).plus("to", ListValue.texts(id)),
          at.key(NODES).item(0).key("id"));
    }
  }

  private ObjectValue node(Item item) {
    var node = item.object();
    node.findText("id").ifPresent(id -> edges(id, item));
    var rest = node.minus(NEXT).minus(SWITCH).minus(ON_FAILURE).minus(CATCH);
    if (node.has(SWITCH)) {
      rest = first(rest, item, SWITCH, EDGE_MODE);
    }
    return node.has(CATCH) ? first(rest, item, CATCH, ERROR_MODE) : rest;
  }

  /// What is written as a list of cases takes the first of its edges.
  private ObjectValue first(ObjectValue rest, Item item, String cases, String mode) {
    if (item.isText(mode, "all")) {
      item.error(
          mode,
          Codes.NOT_APPLICABLE,
          "a %s takes the first entry that fits; remove '%s', or write edges in place of the %s"
              .formatted(cases, mode, cases));
    }
    origins.made(item.at().key(mode), item.at().key(cases).pointer());
    return rest.plus(mode, "first");
  }

  private void edges(String id, Item item) {
    var node = item.object();
    if (node.has(NEXT)) {
      var here = item.at().key(NEXT);
      ways.put(id, here);
      if (node.has(SWITCH)) {
        here.error(
            Codes.NOT_APPLICABLE,
            "a node has either 'next' or 'switch'; write 'next' as the last case: {else: …}");
      }
      var made = add(edge(id).plus("to", node.listOrEmpty(NEXT)), here);
      origins.moved(made.key("to"), here.pointer());
    }
    if (node.has(SWITCH)) {
      ways.put(id, item.at().key(SWITCH));
      cases(id, item);
    }
    if (node.has(ON_FAILURE)) {
      failures.put(id, item.at().key(ON_FAILURE));
      failures(id, item);
    }
    if (node.has(CATCH)) {
      var here = item.at().key(CATCH);
      failures.put(id, here);
      if (node.has(ON_FAILURE)) {
        here.error(
            Codes.NOT_APPLICABLE,
            "a node has either 'catch' or 'on_failure'; write the entries of 'on_failure' here");
      }
      caught(id, item);
    }
  }

  private void cases(String id, Item node) {
    int cases = node.listOrEmpty(SWITCH).size();
    for (var one : node.each(SWITCH)) {
      int left = cases - one.index();
      if (one.has("else")) {
        checkElse(one, left - 1);
        way(id, one, "else", ObjectValue.empty());
      } else if (isComplete(one)) {
        var when = ObjectValue.of("condition", one.textOrEmpty("when"));
        way(id, one, "to", when.plus("weight", left));
      }
    }
  }

  private static void checkElse(Item one, int behind) {
    if (one.has("when") || one.has("to")) {
      one.error(
          "else",
          Codes.NOT_APPLICABLE,
          "an else has neither 'when' nor 'to'; write it as a case of its own, the last one");
    }
    if (behind > 0) {
      one.error(
          "else",
          Codes.NOT_APPLICABLE,
          "else must be the last case: what stands behind it would never be taken");
    }
  }

  private static boolean isComplete(Item one) {
    if (!one.has("when")) {
      one.error(
          "when",
          Codes.MISSING_FIELD,
          "a case needs 'when', the condition under which it is taken; the last may be {else: …}");
    }
    if (!one.has("to")) {
      one.error("to", Codes.MISSING_FIELD, "a case needs 'to': where it leads");
    }
    return one.has("when") && one.has("to");
  }

  /// @param key of the targets
  private void way(String id, Item one, String key, ObjectValue more) {
    var made = add(edge(id).plus("to", one.listOrEmpty(key)).plusAll(more), one.at());
    origins.moved(made.key("to"), one.at(key).pointer());
    origins.moved(made.key("condition"), one.at("when").pointer());
  }

  private void failures(String id, Item node) {
    boolean several = node.listOrEmpty(ON_FAILURE).size() > 1;
    for (var item : node.each(ON_FAILURE)) {
      var failure = item.object();
      if (failure.has("to")) {
        var here = node.at(ON_FAILURE).name(item.index());
        if (several && !failure.has("error_codes")) {
          here.warn(
              Codes.BOTH_TAKEN,
              "without 'error_codes' it is taken for every failure, beside the entries whose codes"
                  + " match, too; name its codes");
        }
        var made = add(edge(id).plus("type", "error").plusAll(failure), here);
        failure.forEach((key, _) -> origins.moved(made.key(key), here.key(key).pointer()));
      }
    }
  }

  private void caught(String id, Item node) {
    int entries = node.listOrEmpty(CATCH).size();
    for (var one : node.each(CATCH)) {
      var entry = one.object();
      checkCatch(one, entries - one.index() - 1);
      if (entry.has("to")) {
        var made = edge(id).plus("type", "error").plusAll(entry.minus("else").minus("when"));
        var condition = entry.findText("when");
        if (condition.isPresent()) {
          made = made.plus("condition", condition.get());
        }
        var here = node.at(CATCH).name(one.index());
        var stands = add(made, here);
        entry.forEach((key, _) -> origins.moved(stands.key(key), here.key(key).pointer()));
        origins.moved(stands.key("condition"), here.key("when").pointer());
      }
    }
  }

  private static void checkCatch(Item one, int behind) {
    boolean asks = one.has("when") || one.has("error_codes");
    if (!one.has("else")) {
      if (!asks) {
        one.error(
            "when",
            Codes.MISSING_FIELD,
            "a catch needs 'when' or 'error_codes': which failures it is for; the last may say"
                + " 'else: true'");
      }
      return;
    }
    if (asks || !one.isTrue("else")) {
      one.error(
          "else",
          Codes.NOT_APPLICABLE,
          "'else: true' has neither 'when' nor 'error_codes'; write it as an entry of its own, the"
              + " last one");
    }
    if (behind > 0) {
      one.error(
          "else",
          Codes.NOT_APPLICABLE,
          "else must be the last entry: what stands behind it would never be taken");
    }
  }

  /// What leads on from a node stands in one place.
  private void refuseTwoWays(Item edge) {
    boolean error = edge.isText("type", "error");
    for (var source : edge.names("from")) {
      var other = (error ? failures : ways).get(source.text());
      if (other != null) {
        source
            .at()
            .error(
                Codes.INVALID_EDGE,
                "node '%s' says where it leads at %s; write this edge there, or all of them in 'edges'"
                    .formatted(source.text(), other.pointer()));
      }
    }
  }

  private static ObjectValue edge(String from) {
    return ObjectValue.of("from", ListValue.texts(from));
  }

  /// @return where the edge stands in the long form
  private Location add(ObjectValue edge, Location origin) {
    var here = at.key(EDGES).item(edges.size());
    edges.add(edge);
    origins.made(here, origin.pointer());
    return here;
  }
}
