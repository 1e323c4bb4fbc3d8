package dev.superstep.definition.form;

import dev.superstep.definition.Codes;
import dev.superstep.graph.Location;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;

/// A list at `retry` becomes the list at `retries`, or stays at `retry` as its only policy.
final class RetryLists {
  static final String RETRY = "retry";
  static final String RETRIES = "retries";

  private RetryLists() {}

  static ObjectValue expand(ObjectValue definition, Location at, Origins.Builder origins) {
    var nodes = definition.listOrEmpty("nodes");
    for (var item : Item.each(definition, "nodes", at)) {
      nodes = nodes.with(item.index(), node(item, origins));
    }
    return nodes.isEmpty() ? definition : definition.plus("nodes", nodes);
  }

  private static ObjectValue node(Item item, Origins.Builder origins) {
    var node = item.object();
    if (node.has(RETRY) && node.has(RETRIES)) {
      item.error(
          RETRIES,
          Codes.NOT_APPLICABLE,
          "a node has either 'retry' or 'retries'; write all policies as a list at 'retry'");
    }
    var here = item.at(RETRY);
    if (!(node.get(RETRY) instanceof ListValue policies)) {
      return node;
    }
    if (policies.size() == 1) {
      origins.moved(here, here.item(0).pointer());
      return node.plus(RETRY, policies.get(0));
    }
    origins.moved(item.at(RETRIES), here.pointer());
    var rest = node.minus(RETRY);
    return policies.isEmpty() ? rest : rest.plus(RETRIES, policies);
  }
}
