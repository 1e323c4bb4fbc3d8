package dev.superstep.definition.type;

import dev.superstep.engine.Compactor;
import dev.superstep.graph.NodeId;
import dev.superstep.state.Channels;
import dev.superstep.state.value.ObjectValue;
import java.util.Map;
import java.util.Set;

/// The parts of a graph against which a node type checks the references of its node.
///
/// @param nodes without the reserved ones
/// @param tools that the graph declares, by name
/// @param name of the graph
/// @param compactors of the channels that declare a compaction, by channel
public record GraphOutline(
    String name,
    Channels channels,
    Set<NodeId> nodes,
    Map<String, Compactor> compactors,
    ObjectValue tools) {
  public GraphOutline {
    nodes = Set.copyOf(nodes);
    compactors = Map.copyOf(compactors);
  }

  /// Of a graph whose channels are never compacted, and without tools of its own.
  public GraphOutline(Channels channels, Set<NodeId> nodes) {
    this("", channels, nodes, Map.of(), ObjectValue.empty());
  }

  /// Whether a write to this channel is possible at all (E3).
  public boolean takes(String channel) {
    return !channels.strict() || channels.declared().containsKey(channel);
  }
}
