package dev.superstep.definition.check;

import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The ways of a graph, as far as its definition shows them.
///
/// @param nodes by position
/// @param all of the edges, in their order, then of what nodes compute
/// @param hidden whether something may lead to nodes that the definition does not name
record Ways(List<Item> nodes, List<Way> all, Hidden hidden) {

  /// @param number tells it from all others
  /// @param item the edge, or the node that computes where it leads
  record Way(int number, Item item, WayKind kind, List<String> from, Set<String> to) {
    Way {
      from = List.copyOf(from);
    }
  }

  enum WayKind {
    PLAIN,
    CONDITIONAL,
    COMPUTED,
    JOIN,
    FAILURE;

    /// Whether an ordinary edge of one source.
    boolean isFlow() {
      return this == PLAIN || this == CONDITIONAL;
    }
  }

  enum Hidden {
    NOTHING,
    SOMETHING
  }

  static Ways of(ObjectValue graph, Location at, NodeTypes types) {
    var nodes = Item.each(graph, "nodes", at);
    var all = new ArrayList<Way>();
    var hidden = Hidden.NOTHING;
    for (var edge : Item.each(graph, "edges", at)) {
      var way = new Way(all.size(), edge, kind(edge), edge.texts("from"), targets(edge));
      all.add(way);
      hidden = edge.has("route") && way.to().isEmpty() ? Hidden.SOMETHING : hidden;
    }
    for (var node : nodes) {
      var way =
          new Way(
              all.size(),
              node,
              WayKind.COMPUTED,
              node.findText("id").stream().toList(),
              targets(node));
      if (!way.to().isEmpty()) {
        all.add(way);
      } else if (mayRoute(node, types)) {
        hidden = Hidden.SOMETHING;
      }
    }
    return new Ways(nodes, List.copyOf(all), hidden);
  }

  /// Whether the result of the node may carry `goto` or `dispatch`.
  static boolean mayRoute(Item node, NodeTypes types) {
    return node.findText("type")
        .flatMap(types::find)
        .map(it -> it.mayRoute(node.objectOrEmpty("config")))
        .orElse(true);
  }

  private static WayKind kind(Item edge) {
    if (edge.isText("type", "error")) {
      return WayKind.FAILURE;
    }
    if (edge.listOrEmpty("from").size() > 1) {
      return WayKind.JOIN;
    }
    if (edge.has("route")) {
      return WayKind.COMPUTED;
    }
    return edge.has("condition") || edge.has("on_incompatible")
        ? WayKind.CONDITIONAL
        : WayKind.PLAIN;
  }

  private static Set<String> targets(Item item) {
    var targets = new LinkedHashSet<String>();
    for (var key : List.of("to", "targets", "if_empty")) {
      item.names(key).forEach(it -> targets.add(it.text()));
    }
    var mapped = item.objectOrEmpty("route_map");
    mapped.asMap().keySet().forEach(it -> mapped.findText(it).ifPresent(targets::add));
    return targets;
  }
}
