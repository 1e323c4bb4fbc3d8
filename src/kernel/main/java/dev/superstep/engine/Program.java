package dev.superstep.engine;

import dev.superstep.engine.node.NodeRunner;
import dev.superstep.graph.Graph;
import dev.superstep.graph.NodeId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// A graph that can run: every node has its runner.
///
/// @param compactions that channels declare, in order of declaration
/// @param contexts rules for the prompt context of nodes and edges
public record Program(
    Graph graph,
    Map<NodeId, NodeRunner> runners,
    List<Compaction> compactions,
    ContextPlan contexts) {
  public Program {
    compactions = List.copyOf(compactions);
    var all = new HashMap<>(runners);
    compactions.forEach(it -> all.put(NodeId.compacting(it.channel()), it.compactor()));
    runners = Map.copyOf(all);
  }

  /// Whether any of its nodes or compactions may call models.
  public boolean spends() {
    return runners.values().stream().anyMatch(NodeRunner::spends);
  }

  /// Whether a task of the node calls nothing: neither the node nor what makes its view of the
  /// prompt context does.
  public boolean neverBlocks(NodeId node) {
    return runner(node).pure() && !contexts.node(node).callsOut();
  }

  /// Whether a task of the node may run on the driver's own thread.
  boolean isBrief(NodeId node) {
    return neverBlocks(node) && runner(node).brief();
  }

  /// Whether anybody can notice a task of the node before its superstep is committed.
  boolean isNoticeable(NodeId node) {
    return !neverBlocks(node) || runner(node).beginsRuns();
  }

  public NodeRunner runner(NodeId node) {
    var runner = runners.get(node);
    if (runner == null) {
      throw new IllegalArgumentException("no runner for node '%s'".formatted(node));
    }
    return runner;
  }
}
