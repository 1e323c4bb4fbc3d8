package dev.superstep.engine;

import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import java.util.Map;

/// A graph that can run: every node has its runner.
public record Program(Graph graph, Map<NodeId, NodeRunner> runners) {
  public Program {
    runners = Map.copyOf(runners);
  }

  public NodeRunner runner(NodeId node) {
    var runner = runners.get(node);
    if (runner == null) {
      throw new IllegalArgumentException("no runner for node '%s'".formatted(node));
    }
    return runner;
  }
}
