package dev.superstep.node.llm;

import io.micrometer.core.instrument.Tags;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Limits the nodes that have meters of their own. Users name graphs and nodes, and a registry
/// never forgets a meter: beyond the limit new nodes are counted together, so that sums stay true.
///
/// Micrometer's own limit (`MeterFilter.maximumAllowableTags`) is for one tag, not for pairs, and
/// what is behind it is not counted at all.
final class CountedNodes {
  /// No graph and no node can have that name.
  static final String OTHER = "__other__";

  private static final Logger log = LoggerFactory.getLogger(CountedNodes.class);

  private final int nodesMax;
  private final Set<Named> known = ConcurrentHashMap.newKeySet();
  private boolean full;

  private record Named(String graph, String node) {
    Tags tags() {
      return Tags.of("graph", graph, "node", node);
    }
  }

  CountedNodes(MetricsSettings settings) {
    nodesMax = settings.nodesMax();
  }

  /// The tags `graph` and `node`.
  Tags tags(String graph, String node) {
    var named = new Named(graph, node);
    return known.contains(named) || admit(named) ? named.tags() : new Named(OTHER, OTHER).tags();
  }

  private synchronized boolean admit(Named named) {
    if (known.contains(named)) {
      return true;
    }
    if (known.size() < nodesMax) {
      return known.add(named);
    }
    if (!full) {
      full = true;
      log.warn(
          "{} nodes have metrics of their own: model calls of further nodes, first node '{}' of"
              + " graph '{}', are counted together as '{}' until this process ends; see"
              + " superstep.metrics.nodes-max",
          nodesMax,
          named.node(),
          named.graph(),
          OTHER);
    }
    return false;
  }
}
