package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.form.Item;
import dev.superstep.graph.Location;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ObjectValue;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Checks the names that a graph declares and those it refers to at its top.
public final class GraphNames {
  private static final List<String> BREAKPOINTS = List.of("interrupt_before", "interrupt_after");

  private GraphNames() {}

  public static DeclaredNames declared(ObjectValue graph, Channels channels, Location at) {
    var nodes = ids("node", "nodes", graph, at);
    ids("edge", "edges", graph, at);
    return new DeclaredNames(nodes, channels.declared().keySet(), channels.strict());
  }

  /// The same of a graph whose names have been checked.
  static DeclaredNames known(ObjectValue graph, Channels channels) {
    var nodes = new HashSet<String>();
    graph.objects("nodes").forEach(it -> it.findText("id").ifPresent(nodes::add));
    return new DeclaredNames(nodes, channels.declared().keySet(), channels.strict());
  }

  private static Set<String> ids(String what, String key, ObjectValue graph, Location at) {
    var ids = new HashSet<String>();
    for (var item : Item.each(graph, key, at)) {
      item.findText("id")
          .filter(it -> !ids.add(it))
          .ifPresent(it ->
              item.error(
                  "id",
                  Codes.DUPLICATE,
                  "there is another %s '%s'; rename one".formatted(what, it)));
    }
    return ids;
  }

  public static void check(ObjectValue graph, DeclaredNames declaredNames, Location at) {
    var item = new Item(graph, at);
    for (var key : BREAKPOINTS) {
      item.names(key).stream()
          .filter(it -> !it.text().equals("*"))
          .forEach(it -> declaredNames.checkNode(it.text(), it.at()));
    }
    item.in("output")
        .names("channels")
        .forEach(it -> declaredNames.checkChannel(it.text(), it.at()));
    checkInbox(item.in("inbox"), declaredNames);
  }

  private static void checkInbox(Item inbox, DeclaredNames declaredNames) {
    inbox.findText("node").ifPresent(it -> declaredNames.checkNode(it, inbox.at("node")));
    inbox
        .findText("channel")
        .filter(it -> !declaredNames.channels().contains(it))
        .ifPresent(it ->
            inbox.error(
                "channel",
                Codes.UNKNOWN_CHANNEL,
                "no channel '%s' is declared; declare it".formatted(it)));
    boolean needsNode =
        inbox.isTrue("resumes") || inbox.findText("at").filter("end_of_turn"::equals).isPresent();
    if (needsNode && inbox.findText("node").isEmpty()) {
      inbox.error(
          "node",
          Codes.MISSING_FIELD,
          "resumes, and at: end_of_turn, need the node that goes on with the messages");
    }
  }
}
