package dev.superstep.definition;

import dev.superstep.state.Channels;
import dev.superstep.state.ListValue;
import dev.superstep.state.ObjectValue;
import dev.superstep.state.Value;
import java.util.HashSet;
import java.util.Set;

/// Checks the names that a graph declares and those it refers to at its top.
final class GraphNames {
  private GraphNames() {}

  static Declared declared(Fields graph, Channels channels, Place at) {
    var nodes = ids("node", "nodes", graph, at);
    ids("edge", "edges", graph, at);
    return new Declared(nodes, channels.declared().keySet(), channels.strict());
  }

  /// The same of a graph whose names have been checked.
  static Declared known(Fields graph, Channels channels) {
    var nodes = new HashSet<String>();
    graph
        .list("nodes")
        .forEach(it -> {
          if (it instanceof ObjectValue node && node.get("id") instanceof Value.Text(var id)) {
            nodes.add(id);
          }
        });
    return new Declared(nodes, channels.declared().keySet(), channels.strict());
  }

  private static Set<String> ids(String what, String key, Fields graph, Place at) {
    var ids = new HashSet<String>();
    for (var item : Item.each(graph, key, at)) {
      item.fields()
          .text("id")
          .filter(it -> !ids.add(it))
          .ifPresent(it ->
              item.at()
                  .key("id")
                  .error(
                      Codes.DUPLICATE, "there is another %s '%s'; rename one".formatted(what, it)));
    }
    return ids;
  }

  static void check(Fields graph, Declared declared, Place at) {
    checkBreakpoints("interrupt_before", graph, declared, at);
    checkBreakpoints("interrupt_after", graph, declared, at);
    var output = graph.fields("output").map(it -> it.list("channels")).orElse(ListValue.empty());
    for (int i = 0; i < output.size(); i++) {
      if (output.get(i) instanceof Value.Text(var name)) {
        declared.checkChannel(name, at.key("output").key("channels").item(i));
      }
    }
  }

  private static void checkBreakpoints(String key, Fields graph, Declared declared, Place at) {
    var ids = graph.list(key);
    for (int i = 0; i < ids.size(); i++) {
      if (ids.get(i) instanceof Value.Text(var id) && !id.equals("*")) {
        declared.checkNode(id, at.key(key).name(i));
      }
    }
  }
}
