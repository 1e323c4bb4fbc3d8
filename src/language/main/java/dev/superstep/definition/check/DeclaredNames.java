package dev.superstep.definition.check;

import dev.superstep.definition.Codes;
import dev.superstep.definition.Suggestion;
import dev.superstep.definition.form.Item;
import dev.superstep.graph.Location;
import dev.superstep.graph.NodeId;
import java.util.Set;

/// The names a definition declares, to check what refers to them.
///
/// @param strict whether only declared channels may be named
public record DeclaredNames(Set<String> nodes, Set<String> channels, boolean strict) {
  private static final Set<String> ENDS = Set.of(NodeId.START.value(), NodeId.END.value());

  public DeclaredNames {
    nodes = Set.copyOf(nodes);
    channels = Set.copyOf(channels);
  }

  /// A node that something leads to: a declared one, or `__end__`.
  public void checkTarget(String id, Location at) {
    if (id.equals(NodeId.START.value())) {
      at.error(Codes.INVALID_EDGE, "nothing can lead to __start__; name the first node instead");
    } else if (!id.equals(NodeId.END.value())) {
      checkNode(id, at);
    }
  }

  /// The nodes that these keys of a node or an edge lead to.
  public void checkTargets(Item owner, String... keys) {
    for (var key : keys) {
      owner.names(key).forEach(it -> checkTarget(it.text(), it.at()));
    }
  }

  public void checkNode(String id, Location at) {
    if (!nodes.contains(id)) {
      var meant = Suggestion.among(nodes, id);
      at.error(
          Codes.UNKNOWN_NODE,
          "there is no node '%s'%s"
              .formatted(id, meant.isEmpty() ? Suggestion.among(ENDS, id) : meant));
    }
  }

  /// A channel that is read or written: any name, unless the graph is strict (E3).
  public void checkChannel(String name, Location at) {
    if (strict && !channels.contains(name)) {
      at.error(
          Codes.UNKNOWN_CHANNEL,
          "there is no channel '%s'%s, and strict_channels allows only declared ones"
              .formatted(name, Suggestion.among(channels, name)));
    }
  }
}
