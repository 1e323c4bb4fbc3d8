package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.GraphOutline;
import dev.superstep.definition.type.NodeType;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.definition.type.WrittenChannels;
import dev.superstep.expression.Expressions;
import dev.superstep.graph.Location;
import dev.superstep.graph.Node;
import dev.superstep.secret.SecretUse;
import dev.superstep.state.value.ObjectValue;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks a definition that is posted, but not a stored version that is loaded: a run must not be
/// lost because a later release detects more mistakes.
public final class PostingChecks {
  private static final List<String> OF_ATTEMPTS =
      List.of("retry", "retries", "total_timeout", "max_concurrency");
  private static final List<String> RETRIES = List.of("retry", "retries");
  private static final List<String> OF_WAYS_ON =
      List.of("on_error", "optional", "edge_mode", "on_no_match", "error_mode");

  private final NodeTypes types;
  private final Expressions expressions;

  public PostingChecks(NodeTypes types, Expressions expressions) {
    this.types = types;
    this.expressions = expressions;
  }

  /// @param graphPlan of the graph, as far as it could be read
  public void check(ObjectValue graph, GraphPlan graphPlan, Location at) {
    var program = graphPlan.program().graph();
    var nodes = new HashMap<String, Node>();
    program.nodes().forEach(it -> nodes.put(it.id().value(), it));
    var outline =
        new GraphOutline(
            program.channels(), Set.copyOf(program.nodes().stream().map(Node::id).toList()));
    var writes = new LinkedHashMap<String, WrittenChannels>();
    for (var item : Item.each(graph, "nodes", at)) {
      var node = Optional.ofNullable(nodes.get(item.textOrEmpty("id")));
      node.ifPresent(it -> writes.put(it.id().value(), check(it, item, outline)));
    }
    for (var tool : Item.each(graph, "tools", at)) {
      if (SecretUse.isNamedIn(tool.textOrEmpty("url"))) {
        tool.error("url", Codes.SECRET_IN_URL, SecretUse.IN_URL);
      }
    }
    Item.each(graph, "edges", at).forEach(it -> refuseBehindTheEnd(it, nodes));
    new DispatchPolicies(types).check(graph, at);
    new TriggerChecks(expressions, graphPlan.inputCheck()).check(graph, at);
    var declaredNames = GraphNames.known(graph, program.channels());
    var variables = new VariableTypes(graph, StateTypes.of(graph, at, declaredNames, writes));
    var routing =
        nodes.values().stream()
            .filter(it -> types.find(it.type()).orElseThrow().mayRoute(it.config()))
            .map(it -> it.id().value())
            .collect(Collectors.toSet());
    var texts = ExpressionTexts.inspect(graph, at, variables, routing, expressions);
    new StaticCheck(declaredNames.strict()).check(texts);
    new NodeNames(expressions, declaredNames).check(graph, texts, at);
    new RoutingAdvice(types).check(graph, at);
  }

  /// Nothing leads on from a node that ends the run, and there is no failure to handle.
  private void refuseBehindTheEnd(Item edge, Map<String, Node> nodes) {
    for (var source : edge.names("from")) {
      var node = nodes.get(source.text());
      if (node != null && types.find(node.type()).map(NodeType::endsRun).orElse(false)) {
        source
            .at()
            .error(
                Codes.INVALID_EDGE,
                "the run ends with '%s', a node of type '%s': no edge leads on, and none handles a failure; remove it"
                    .formatted(source.text(), node.type()));
      }
    }
  }

  private WrittenChannels check(Node node, Item item, GraphOutline outline) {
    var type = types.find(node.type()).orElseThrow();
    refuseIdle(type, node, item);
    type.advise(node, outline, item.at().key("config"));
    var writtenChannels = type.writes(node, outline);
    writtenChannels.own().stream()
        .filter(it -> !outline.takes(it))
        .sorted()
        .forEach(it -> item.at().error(Codes.UNKNOWN_CHANNEL, undeclared(type, it)));
    return writtenChannels;
  }

  private static void refuseIdle(NodeType type, Node node, Item item) {
    if (type.endsRun()) {
      OF_WAYS_ON.forEach(
          it -> refuse(it, item, "the run ends with a node of type '%s'".formatted(type.name())));
    }
    if (!type.makesAttempts()) {
      var reason =
          "a node of type '%s' calls nothing that could fail or be crowded".formatted(type.name());
      OF_ATTEMPTS.forEach(it -> refuse(it, item, reason));
      if (type.mayTimeOut()) {
        refuse("timeout", item, reason);
      }
    }
    if (!type.mayBeCached()) {
      refuse(
          "cache",
          item,
          "what a node of type '%s' comes to is of its task only".formatted(type.name()));
    }
    refuseIdleRetries(type, node, item);
    if (item.isTrue("optional") && item.isText("on_error", "fail")) {
      refuse("optional", item, "with 'on_error: fail' a failure holds the run, joins included");
    }
    if (!type.mayRoute(node.config())) {
      refuse("targets", item, "this node computes neither goto nor dispatch");
    }
    if (!type.mayBeEmpty(node.config())) {
      refuse(
          "if_empty",
          item,
          "only the dispatch of a node result leads there, in config.result or in the config of"
              + " type 'expression'");
    }
  }

  private static void refuseIdleRetries(NodeType type, Node node, Item item) {
    if (type.repeatsItself()
        && node.policy().retries().stream().anyMatch(it -> it.retryOn().isEmpty())) {
      RETRIES.forEach(it ->
          refuse(
              it,
              item,
              "each attempt comes to the same, and is repeated only for codes that retry_on"
                  + " names"));
    }
  }

  private static String undeclared(NodeType type, String channel) {
    return "a node of type '%s' writes channel '%s', and strict_channels allows only declared ones; declare it"
        .formatted(type.name(), channel);
  }

  private static void refuse(String key, Item item, String reason) {
    item.refuse(key, Codes.NOT_APPLICABLE, "has no effect: %s; remove it".formatted(reason));
  }
}
