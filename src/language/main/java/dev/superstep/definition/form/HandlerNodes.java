package dev.superstep.definition.form;

import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Handlers among `defaults`, and the nodes that only handlers of failures lead to, and a default
/// one does. It is not for their failures: it would be asked again and again.
final class HandlerNodes {
  /// What may stand beside the node types, for the nodes of all of them.
  static final List<String> HANDLERS = List.of("catch", "on_failure");

  private static final List<String> FLOWS = List.of("switch");
  private static final List<String> ALL = List.of("switch", "catch", "on_failure");
  private static final List<String> TARGETS = List.of("to", "targets", "if_empty");

  private HandlerNodes() {}

  /// The schema of `defaults`: by node type, but for what holds for the nodes of all types.
  static Schema defaults(Schema byType, Schema ofAll) {
    var properties =
        ObjectValue.of("catch", RoutingTables.caught().schema(Schema.Audience.AUTHOR))
            .plus("on_failure", RoutingTables.failures().schema(Schema.Audience.AUTHOR));
    return byType.readBy(
        (value, at) -> {
          if (!(value instanceof ObjectValue all)) {
            return byType.read(value, at);
          }
          var handlers = ObjectValue.empty();
          var rest = all;
          for (var key : HANDLERS) {
            var member = all.get(key);
            handlers = member == null ? handlers : handlers.plus(key, member);
            rest = rest.minus(key);
          }
          var read = ofAll.read(handlers, at).orElseThrow();
          return byType.read(rest, at).map(it -> ((ObjectValue) it).plusAll((ObjectValue) read));
        },
        byType.schema(Schema.Audience.AUTHOR).plus("properties", properties));
  }

  /// @param handlers what the defaults say of failures
  static Set<String> of(Item handlers, ObjectValue graph, Location at) {
    var handled = new HashSet<String>();
    for (var key : HANDLERS) {
      handlers.each(key).forEach(it -> handled.addAll(it.texts("to")));
    }
    if (handled.isEmpty()) {
      return handled;
    }
    var nodes = reached(handled, ways(graph, at, ALL));
    nodes.removeAll(reached(entries(graph, at), ways(graph, at, FLOWS)));
    nodes.addAll(handled);
    return nodes;
  }

  private static Set<String> entries(ObjectValue graph, Location at) {
    var entries = new HashSet<String>();
    for (var edge : Item.each(graph, "edges", at)) {
      if (edge.texts("from").contains("__start__")) {
        targets(edge, entries);
      }
    }
    if (entries.isEmpty()) {
      Item.each(graph, "nodes", at).stream()
          .limit(1)
          .forEach(it -> entries.add(it.textOrEmpty("id")));
    }
    return entries;
  }

  /// @param cases also of failures, or not
  private static Map<String, Set<String>> ways(ObjectValue graph, Location at, List<String> cases) {
    var ways = new HashMap<String, Set<String>>();
    for (var node : Item.each(graph, "nodes", at)) {
      var to = ways.computeIfAbsent(node.textOrEmpty("id"), _ -> new HashSet<>());
      to.addAll(node.texts("next"));
      targets(node, to);
      for (var key : cases) {
        for (var one : node.each(key)) {
          targets(one, to);
          to.addAll(one.texts("else"));
        }
      }
    }
    for (var edge : Item.each(graph, "edges", at)) {
      var sources =
          cases.equals(FLOWS) && edge.isText("type", "error")
              ? List.<String>of()
              : edge.texts("from");
      for (var from : sources) {
        targets(edge, ways.computeIfAbsent(from, _ -> new HashSet<>()));
      }
    }
    return ways;
  }

  private static void targets(Item item, Set<String> to) {
    TARGETS.forEach(it -> to.addAll(item.texts(it)));
    var mapped = item.objectOrEmpty("route_map");
    mapped.forEach((key, _) -> mapped.findText(key).ifPresent(to::add));
  }

  private static Set<String> reached(Collection<String> from, Map<String, Set<String>> ways) {
    var reached = new HashSet<>(from);
    var next = new ArrayDeque<>(from);
    while (!next.isEmpty()) {
      for (var to : ways.getOrDefault(next.remove(), Set.of())) {
        if (reached.add(to)) {
          next.add(to);
        }
      }
    }
    return reached;
  }
}
