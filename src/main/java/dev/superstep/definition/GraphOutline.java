package dev.superstep.definition;

import dev.superstep.graph.NodeId;
import dev.superstep.state.Channels;
import java.util.Set;

/// What a node type may want to know about the graph around its node, to check what it refers to.
///
/// @param nodes without the reserved ones
public record GraphOutline(Channels channels, Set<NodeId> nodes) {
  public GraphOutline {
    nodes = Set.copyOf(nodes);
  }

  /// Whether a write to this channel is possible at all (E3).
  public boolean takes(String channel) {
    return !channels.strict() || channels.declared().containsKey(channel);
  }
}
