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

  /// What is written in one way or the other.
  private static final List<Set<String>> ALTERNATIVES =
      List.of(
          Set.of("context_filter", "context_filters"),
          Set.of(RetryLists.RETRY, RetryLists.RETRIES),
          Set.of("on_failure", "catch", "on_error", "optional"));

  /// What may stand beside the node types, for the nodes of all of them.
  static final List<String> HANDLERS = List.of("catch", "on_failure");

  /// Nothing handles the failure of a node that ends the run.
  private static final Set<String> ENDING = Set.of("fail", "end");

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
    var byType = defaults;
    for (var key : HANDLERS) {
      byType = byType.minus(key);
    }
    byType.forEach((type, _) -> checkType(type, source.key(type)));
    var ofTypes = byType;
    var own = handled(nodes(definition.minus(DEFAULTS), ofTypes, at, source), defaults, at, source);
    return InlineGraphs.each(own, at, (graph, here) -> nodes(graph, ofTypes, here, source));
  }

  /// The nodes of this graph alone: what fails within an inline graph fails the node that runs it.
  private ObjectValue handled(
      ObjectValue definition, ObjectValue defaults, Location at, Location source) {
    var handlers = ObjectValue.empty();
    for (var key : HANDLERS) {
      var handler = defaults.get(key);
      handlers = handler == null ? handlers : handlers.plus(key, handler);
    }
    if (handlers.size() > 1) {
      source
          .key("catch")
          .error(
              Codes.NOT_APPLICABLE, "there is either a default 'catch' or a default 'on_failure'");
    }
    var nodes = definition.listOrEmpty("nodes");
    for (var item : Item.each(definition, "nodes", at)) {
      nodes = nodes.with(item.index(), node(item, unhandled(handlers, item, definition), source));
    }
    return definition.has("nodes") ? definition.plus("nodes", nodes) : definition;
  }

  /// Handlers are not for what they lead to, which would be asked for ever, for nodes with error
  /// edges, and for those that end the run.
  private static ObjectValue unhandled(ObjectValue defaults, Item node, ObjectValue graph) {
    var rest = defaults;
    var id = node.textOrEmpty("id");
    for (var key : HANDLERS) {
      boolean leadsHere =
          new Item(defaults, node.at())
              .each(key).stream().anyMatch(it -> it.texts("to").contains(id));
      if (leadsHere
          || ENDING.contains(node.textOrEmpty("type"))
          || hasErrorEdge(id, graph, node.at())) {
        rest = rest.minus(key);
      }
    }
    return rest;
  }

  private static boolean hasErrorEdge(String id, ObjectValue graph, Location at) {
    return Item.each(graph, "edges", at).stream()
        .anyMatch(it -> it.isText("type", "error") && it.texts("from").contains(id));
  }

  private ObjectValue nodes(
      ObjectValue definition, ObjectValue defaults, Location at, Location source) {
    var nodes = definition.listOrEmpty("nodes");
    for (var item : Item.each(definition, "nodes", at)) {
      var type = item.textOrEmpty("type");
      if (defaults.get(type) instanceof ObjectValue ofType) {
        var missing = unhandled(ofType, item, definition);
        nodes = nodes.with(item.index(), node(item, missing, source.key(type)));
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
    return node.has(key)
        || ALTERNATIVES.stream()
            .anyMatch(it -> it.contains(key) && it.stream().anyMatch(node::has));
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
