package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.definition.type.NodeTypes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/// Refuses dispatch policies that nothing can meet, or that mean nothing (E54).
final class DispatchPolicies {
  private static final String POLICY = "dispatch_policy";
  private static final String LEAST = "min_succeeded";
  private static final String FIRST = "first_wins";
  private static final String TOLERATED = "tolerated_failures";

  private final NodeTypes types;

  DispatchPolicies(NodeTypes types) {
    this.types = types;
  }

  void check(ObjectValue graph, Location at) {
    var most = graph.objectOrEmpty("limits").findInt("max_dispatches");
    var routing = routing(graph, at);
    for (var node : Item.each(graph, "nodes", at)) {
      if (node.has(POLICY)) {
        check(node, routing, most.map(OptionalInt::of).orElse(OptionalInt.empty()));
      }
    }
  }

  /// The sources of edges that compute where they lead.
  private static Set<String> routing(ObjectValue graph, Location at) {
    var routing = new HashSet<String>();
    for (var edge : Item.each(graph, "edges", at)) {
      if (edge.has("route")) {
        edge.names("from").forEach(it -> routing.add(it.text()));
      }
    }
    return routing;
  }

  private void check(Item node, Set<String> routing, OptionalInt most) {
    var config = node.objectOrEmpty("config");
    boolean mayDispatch =
        types.find(node.textOrEmpty("type")).map(it -> it.mayRoute(config)).orElse(true);
    if (!mayDispatch && !routing.contains(node.textOrEmpty("id"))) {
      node.error(
          POLICY, Codes.NOT_APPLICABLE, "has no effect: this node dispatches nothing; remove it");
    }
    var policy = node.in(POLICY);
    if (policy.isTrue(FIRST) && policy.has(LEAST)) {
      policy.error(
          FIRST,
          Codes.NOT_APPLICABLE,
          "'first_wins' is 'min_succeeded: 1', and there is a min_succeeded besides; remove one of"
              + " them");
    }
    checkTolerated(policy);
    boolean routes = routing.contains(node.textOrEmpty("id"));
    checkLeast(policy, routes ? OptionalInt.empty() : literal(config), most);
  }

  private static void checkTolerated(Item policy) {
    if (policy.get(TOLERATED) instanceof Value.Real(var share) && share >= 1) {
      policy.error(
          TOLERATED,
          Codes.OUT_OF_RANGE,
          "%s is neither a number of dispatches nor a share of them: write a whole number, or a share below 1 such as 0.25"
              .formatted(share));
    }
  }

  private static void checkLeast(Item policy, OptionalInt dispatches, OptionalInt most) {
    int least = policy.findInt(LEAST).orElse(0);
    if (dispatches.isPresent() && least > dispatches.getAsInt()) {
      policy.error(
          LEAST,
          Codes.OUT_OF_RANGE,
          "%d successes are impossible: the node has %d dispatches; ask for at most as many"
              .formatted(least, dispatches.getAsInt()));
    } else if (most.isPresent() && least > most.getAsInt()) {
      policy.error(
          LEAST,
          Codes.OUT_OF_RANGE,
          "%d successes are impossible: limits.max_dispatches is %d; ask for at most as many"
              .formatted(least, most.getAsInt()));
    }
  }

  /// How many dispatches a list has that is no template as a whole.
  private static OptionalInt literal(ObjectValue config) {
    var written = config.has("dispatch") ? config : config.objectOrEmpty("result");
    return written.get("dispatch") instanceof ListValue list && !list.isEmpty()
        ? OptionalInt.of(list.size())
        : OptionalInt.empty();
  }
}
