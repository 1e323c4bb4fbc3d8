package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.List;
import java.util.Set;

/// `defaults`: what the nodes of a type have unless they say otherwise. A node's own key wins as a
/// whole; only `config` is merged, one level deep.
final class Defaults {
  private static final String DEFAULTS = "defaults";
  private static final String CONFIG = "config";

  /// A filter is written in one way or the other.
  private static final Set<String> FILTERS = Set.of("context_filter", "context_filters");

  private final Collection<String> nodeTypes;
  private final Origins.Builder origins;

  Defaults(Collection<String> nodeTypes, Origins.Builder origins) {
    this.nodeTypes = List.copyOf(nodeTypes);
    this.origins = origins;
  }

  ObjectValue apply(ObjectValue definition, Location at) {
    if (!(definition.get(DEFAULTS) instanceof ObjectValue defaults)) {
      return definition;
    }
    var source = at.key(DEFAULTS);
    defaults.forEach((type, _) -> checkType(type, source.key(type)));
    var whole = nodes(definition.minus(DEFAULTS), defaults, at, source);
    return InlineGraphs.each(whole, at, (graph, here) -> nodes(graph, defaults, here, source));
  }

  private ObjectValue nodes(
      ObjectValue definition, ObjectValue defaults, Location at, Location source) {
    var nodes = definition.listOrEmpty("nodes");
    for (var item : Item.each(definition, "nodes", at)) {
      var type = item.textOrEmpty("type");
      if (defaults.get(type) instanceof ObjectValue ofType) {
        nodes = nodes.with(item.index(), node(item, ofType, source.key(type)));
      }
    }
    return definition.has("nodes") ? definition.plus("nodes", nodes) : definition;
  }

  private void checkType(String type, Location at) {
    if (!nodeTypes.contains(type)) {
      at.error(
          Codes.UNKNOWN_NODE_TYPE,
          "there is no node type '%s'%s; known are %s"
              .formatted(type, Suggestion.among(nodeTypes, type), String.join(", ", nodeTypes)));
    }
  }

  private ObjectValue node(Item item, ObjectValue ofType, Location source) {
    var node = item.object();
    for (var member : ofType.asMap().entrySet()) {
      var key = member.getKey();
      if (!says(item, key)) {
        node = node.plus(key, member.getValue());
        origins.moved(item.at().key(key), source.key(key).pointer());
      } else if (key.equals(CONFIG)
          && member.getValue() instanceof ObjectValue config
          && node.get(CONFIG) instanceof ObjectValue own) {
        node = node.plus(CONFIG, config(config, own, item.at().key(CONFIG), source.key(CONFIG)));
      }
    }
    return node;
  }

  private static boolean says(Item node, String key) {
    return FILTERS.contains(key) ? FILTERS.stream().anyMatch(node::has) : node.has(key);
  }

  private Value config(ObjectValue config, ObjectValue own, Location at, Location source) {
    config.forEach((key, _) -> {
      if (!own.has(key)) {
        origins.moved(at.key(key), source.key(key).pointer());
      }
    });
    return config.plusAll(own);
  }
}
