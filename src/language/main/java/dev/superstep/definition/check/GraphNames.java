package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.graph.Location;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import java.util.HashSet;
import java.util.Set;

/// Checks the names that a graph declares and those it refers to at its top.
public final class GraphNames {
  private GraphNames() {}

  public static DeclaredNames declared(ObjectValue graph, Channels channels, Location at) {
    var nodes = ids("node", "nodes", graph, at);
    ids("edge", "edges", graph, at);
    return new DeclaredNames(nodes, channels.declared().keySet(), channels.strict());
  }

  /// The same of a graph whose names have been checked.
  static DeclaredNames known(ObjectValue graph, Channels channels) {
    var nodes = new HashSet<String>();
    graph
        .listOrEmpty("nodes")
        .forEach(it -> {
          if (it instanceof ObjectValue node && node.get("id") instanceof Value.Text(var id)) {
            nodes.add(id);
          }
        });
    return new DeclaredNames(nodes, channels.declared().keySet(), channels.strict());
  }

  private static Set<String> ids(String what, String key, ObjectValue graph, Location at) {
    var ids = new HashSet<String>();
    for (var item : Item.each(graph, key, at)) {
      item.object()
          .findText("id")
          .filter(it -> !ids.add(it))
          .ifPresent(it ->
              item.at()
                  .key("id")
                  .error(
                      Codes.DUPLICATE, "there is another %s '%s'; rename one".formatted(what, it)));
    }
    return ids;
  }

  public static void check(ObjectValue graph, DeclaredNames declaredNames, Location at) {
    checkBreakpoints("interrupt_before", graph, declaredNames, at);
    checkBreakpoints("interrupt_after", graph, declaredNames, at);
    var output =
        graph.findObject("output").map(it -> it.listOrEmpty("channels")).orElse(ListValue.empty());
    for (int i = 0; i < output.size(); i++) {
      if (output.get(i) instanceof Value.Text(var name)) {
        declaredNames.checkChannel(name, at.key("output").key("channels").item(i));
      }
    }
  }

  private static void checkBreakpoints(
      String key, ObjectValue graph, DeclaredNames declaredNames, Location at) {
    var ids = graph.listOrEmpty(key);
    for (int i = 0; i < ids.size(); i++) {
      if (ids.get(i) instanceof Value.Text(var id) && !id.equals("*")) {
        declaredNames.checkNode(id, at.key(key).name(i));
      }
    }
  }
}
