package dev.superstep.definition.read;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.check.DeclaredNames;
import dev.superstep.definition.form.DefinitionSchema;
import dev.superstep.definition.form.Durations;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.CachedNode;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.InvalidNodeException;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.definition.type.ResultCache;
import dev.superstep.engine.node.NodeRunner;
import dev.superstep.graph.CachePolicy;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.RetryPolicy;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Reads one node. Its type reads `config`.
final class NodeReader {
  private final NodeTypes types;
  private final ConfigCheck configs;
  private final ExpressionReader expressions;
  private final ResultCache cache;

  NodeReader(
      NodeTypes types, ConfigCheck configs, ExpressionReader expressions, ResultCache cache) {
    this.types = types;
    this.configs = configs;
    this.expressions = expressions;
    this.cache = cache;
  }

  /// The node, if it is complete enough for further checks.
  Optional<Node> read(Item node, DeclaredNames declaredNames) {
    var id = node.findText("id");
    var type = node.findText("type");
    declaredNames.checkTargets(node, "targets", "if_empty");
    if (type.isEmpty()) {
      return Optional.empty();
    }
    var found = types.find(type.get());
    if (found.isEmpty()) {
      node.error(
          "type",
          Codes.UNKNOWN_NODE_TYPE,
          "there is no node type '%s'%s; known are %s"
              .formatted(
                  type.get(),
                  Suggestion.among(types.names(), type.get()),
                  String.join(", ", types.names())));
      return Optional.empty();
    }
    checkAgainst(found.get(), node);
    return id.map(it -> node(new NodeId(it), node, found.get()));
  }

  /// The runner; empty if the configuration has errors, which have then been reported.
  Optional<NodeRunner> runner(Node node, GraphOutline outline, Location at) {
    var type = types.find(node.type()).orElseThrow();
    var config = at.key("config");
    if (!configs.passes(type, node.config(), config)) {
      return Optional.empty();
    }
    try {
      var runner = type.create(node, outline);
      return node.cache().isEmpty()
          ? Optional.of(runner)
          : cached(runner, node, node.cache().get(), at.key("cache"));
    } catch (InvalidNodeException e) {
      e.problems().forEach(config::error);
      return Optional.empty();
    }
  }

  private Optional<NodeRunner> cached(
      NodeRunner runner, Node node, CachePolicy policy, Location at) {
    return expressions
        .value(policy.key(), at.key("key"))
        .map(it -> new CachedNode(runner, node, it, policy.ttl(), cache));
  }

  private static Node node(NodeId id, Item fields, NodeType type) {
    var policy =
        new Node.Policy(
            retries(fields),
            Durations.find(fields, "timeout").or(type::defaultTimeout),
            Durations.find(fields, "total_timeout"),
            onError(fields),
            fields.findInt("max_concurrency").orElse(0),
            fields.isTrue("defer"));
    var routing =
        new Node.Routing(
            fields.isText("edge_mode", "first") ? Node.EdgeMode.FIRST : Node.EdgeMode.ALL,
            ids(fields.texts("targets")),
            fields.findText("if_empty").map(NodeId::new),
            fields.isText("on_no_match", "fail") ? Node.OnNoMatch.FAIL : Node.OnNoMatch.END,
            fields.findObject("dispatch_policy").map(DefinitionSchema.DISPATCH_POLICY::of),
            fields.isText("error_mode", "first") ? Node.EdgeMode.FIRST : Node.EdgeMode.ALL);
    return new Node(
        id,
        type.name(),
        fields.objectOrEmpty("config"),
        policy,
        routing,
        fields.findText("context_type"),
        fields.findObject("cache").filter(it -> it.has("key")).map(DefinitionSchema.CACHE::of));
  }

  private static List<RetryPolicy> retries(Item node) {
    var several =
        node.each("retries").stream().map(it -> DefinitionSchema.RETRY.of(it.object())).toList();
    return several.isEmpty()
        ? List.of(
            node.findObject("retry").map(DefinitionSchema.RETRY::of).orElse(RetryPolicy.NEVER))
        : several;
  }

  private static Node.OnError onError(Item node) {
    if (node.isTrue("optional")) {
      return Node.OnError.ARRIVE;
    }
    return node.isText("on_error", "continue") ? Node.OnError.CONTINUE : Node.OnError.FAIL;
  }

  private static Set<NodeId> ids(List<String> names) {
    return names.stream().map(NodeId::new).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private static void checkAgainst(NodeType type, Item node) {
    if (!type.available()) {
      node.warn(
          "type",
          Codes.NODE_TYPE_UNAVAILABLE,
          "this server cannot run nodes of type '%s' yet; they will fail".formatted(type.name()));
    }
    for (var key : List.of("timeout", "total_timeout")) {
      if (!type.mayTimeOut()) {
        node.refuse(
            key,
            Codes.NOT_APPLICABLE,
            "a node of type '%s' has no %s; remove it".formatted(type.name(), key));
      }
      Durations.find(node, key)
          .filter(Duration::isZero)
          .ifPresent(
              _ -> node.error(key, Codes.OUT_OF_RANGE, "a timeout must be more than nothing"));
    }
    var cache = node.in("cache");
    Durations.find(cache, "ttl")
        .filter(Duration::isZero)
        .ifPresent(_ ->
            cache.error("ttl", Codes.OUT_OF_RANGE, "a time to live must be more than nothing"));
  }
}
