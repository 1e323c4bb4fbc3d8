package dev.superstep.run;

import dev.superstep.graph.NodeId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// How many tasks the nodes of a run have, and how they are.
///
/// @param superstep the last one that is committed
/// @param committed of committed supersteps, as far as this page has them
/// @param open of the superstep that is not committed; only on the first page
/// @param next cursor of the page with older supersteps; empty: there is none
public record NodeCounts(
    int superstep, List<NodeTasks> committed, List<NodeTasks> open, Optional<String> next) {
  public NodeCounts {
    committed = List.copyOf(committed);
    open = List.copyOf(open);
  }

  /// The tasks of one node.
  ///
  /// @param superstep the newest of these in which it has run
  /// @param newest how the tasks of that superstep are
  /// @param retried those that were tried more than once
  /// @param busy of all of them together
  /// @param failed the newest that has an error
  public record NodeTasks(
      NodeId node,
      int superstep,
      Map<TaskView.Status, Integer> statuses,
      Map<TaskView.Status, Integer> newest,
      int retried,
      Duration busy,
      Duration longest,
      Optional<Failed> failed) {
    public NodeTasks {
      statuses = Map.copyOf(statuses);
      newest = Map.copyOf(newest);
    }
  }

  public record Failed(String task, String code) {}
}
