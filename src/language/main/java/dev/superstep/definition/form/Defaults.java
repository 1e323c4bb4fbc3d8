package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// `defaults`: what the nodes of a type have unless they say otherwise. A node's own key wins as a
/// whole; only `config` is merged, one level deep.
final class Defaults {
  private static final String DEFAULTS = "defaults";
  private static final String CONFIG = "config";

  private static final Set<String> FILTERS = Set.of("context_filter", "context_filters");
  private static final Set<String> OF_FAILURES =
      Set.of("on_failure", "catch", "on_error", "optional");

  /// What stands in the place of a default. Where no edge fits, `on_error` counts besides edges.
  private static final Map<String, Set<String>> OTHERWISE =
      Map.of(
          "context_filter",
          FILTERS,
          "context_filters",
          FILTERS,
          RetryLists.RETRY,
          Set.of(RetryLists.RETRIES),
          "catch",
          OF_FAILURES,
          "on_failure",
          OF_FAILURES);

  /// Nothing handles the failure of a node that ends the run.
  private static final String ENDING = "fail";

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
    var ofTypes = withoutHandlers(defaults);
    ofTypes.forEach((type, _) -> checkType(type, source.key(type)));
    var own = handled(nodes(definition.minus(DEFAULTS), ofTypes, at, source), defaults, at, source);
    return InlineGraphs.each(own, at, (graph, here) -> nodes(graph, ofTypes, here, source));
  }

  /// The nodes of this graph alone: what fails within an inline graph fails the node that runs it.
  private ObjectValue handled(
      ObjectValue definition, ObjectValue defaults, Location at, Location source) {
    var handlers = ObjectValue.empty();
    for (var key : HandlerNodes.HANDLERS) {
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
    var behind = HandlerNodes.of(new Item(handlers, source), definition, at);
    for (var item : Item.each(definition, "nodes", at)) {
      boolean handles = behind.contains(item.textOrEmpty("id"));
      var missing = handles ? ObjectValue.empty() : unhandled(handlers, item, definition);
      nodes = nodes.with(item.index(), node(item, missing, source));
    }
    return definition.has("nodes") ? definition.plus("nodes", nodes) : definition;
  }

  /// Handlers are not for nodes with error edges, and for those that end the run.
  private static ObjectValue unhandled(ObjectValue defaults, Item node, ObjectValue graph) {
    return node.isText("type", ENDING) || hasErrorEdge(node.textOrEmpty("id"), graph, node.at())
        ? withoutHandlers(defaults)
        : defaults;
  }

  private static ObjectValue withoutHandlers(ObjectValue defaults) {
    var rest = defaults;
    for (var key : HandlerNodes.HANDLERS) {
      rest = rest.minus(key);
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
    var behind = new HashMap<String, Set<String>>();
    for (var item : Item.each(definition, "nodes", at)) {
      var type = item.textOrEmpty("type");
      if (defaults.get(type) instanceof ObjectValue ofType) {
        boolean handles =
            behind
                .computeIfAbsent(
                    type, _ -> HandlerNodes.of(new Item(ofType, source.key(type)), definition, at))
                .contains(item.textOrEmpty("id"));
        var missing = handles ? withoutHandlers(ofType) : unhandled(ofType, item, definition);
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
    return node.has(key) || OTHERWISE.getOrDefault(key, Set.of()).stream().anyMatch(node::has);
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
