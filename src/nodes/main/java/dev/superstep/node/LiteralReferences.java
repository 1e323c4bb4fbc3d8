package dev.superstep.node;

import dev.superstep.definition.type.GraphOutline;
import dev.superstep.graph.NodeId;
import dev.superstep.graph.Pointer;
import dev.superstep.state.value.ListValue;
import dev.superstep.state.value.ObjectValue;
import dev.superstep.state.value.Value;
import org.jspecify.annotations.Nullable;

/// Finds the nodes and channels that the templates of a node result name literally. A template
/// without `{{` is a literal, so an unknown name is an error when the definition is posted, as any
/// unknown reference is, and not in the middle of a run.
final class LiteralReferences {
  /// Whether `__end__` is a valid target (E5).
  private enum ReferenceEnd {
    ALLOWED,
    REFUSED
  }

  private final NodeConfig config;
  private final GraphOutline graph;

  LiteralReferences(NodeConfig config) {
    this.config = config;
    graph = config.graph();
  }

  /// @param at path of the templates within `config`: "", or a key and `/`
  /// @param templates of a node result, by its keys
  void check(String at, ObjectValue templates) {
    channels(at + "update", templates.get("update"));
    channels(at + "overwrite", templates.get("overwrite"));
    if (templates.get("remove") instanceof ListValue names) {
      for (int i = 0; i < names.size(); i++) {
        channel(Pointer.child(at + "remove", i), names.get(i));
      }
    }
    if (templates.get("goto") instanceof ListValue targets) {
      for (int i = 0; i < targets.size(); i++) {
        target(Pointer.child(at + "goto", i), targets.get(i), ReferenceEnd.ALLOWED);
      }
    }
    if (templates.get("dispatch") instanceof ListValue dispatches) {
      for (int i = 0; i < dispatches.size(); i++) {
        if (dispatches.get(i) instanceof ObjectValue dispatch) {
          var to = dispatch.getOr("node", Value.NULL);
          target(Pointer.child(at + "dispatch", i) + "/node", to, ReferenceEnd.REFUSED);
        }
      }
    }
  }

  private void channels(String at, @Nullable Value members) {
    if (members instanceof ObjectValue object) {
      object.forEach((name, _) -> channel(Pointer.child(at, name), Value.of(name)));
    }
  }

  private void channel(String at, Value item) {
    if (item instanceof Value.Text(var name) && isLiteral(name) && !graph.takes(name)) {
      config.refuse(
          at,
          "unknown_channel",
          "channel '%s' is not declared, and the graph has strict_channels: true".formatted(name));
    }
  }

  private void target(String at, Value item, ReferenceEnd end) {
    if (!(item instanceof Value.Text(var id)) || !isLiteral(id)) {
      return;
    }
    if (!exists(id, end)) {
      config.refuse(at, "unknown_node", "there is no node '%s' to run".formatted(id));
    } else if (!mayReach(new NodeId(id))) {
      config.refuse(
          at,
          "undeclared_target",
          "node '%s' is not among the targets that this node declares; add it there".formatted(id));
    }
  }

  private boolean exists(String id, ReferenceEnd end) {
    return id.equals(NodeId.END.value())
        ? end == ReferenceEnd.ALLOWED
        : NodeId.isValid(id) && graph.nodes().contains(new NodeId(id));
  }

  private boolean mayReach(NodeId id) {
    var declared = config.node().routing().allowed();
    return declared.isEmpty() || declared.contains(id);
  }

  private static boolean isLiteral(String text) {
    return !text.contains("{{");
  }
}
