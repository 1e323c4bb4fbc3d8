package dev.superstep.testing.kit;

import dev.superstep.engine.run.Dispatch;
import dev.superstep.state.GraphState;
import java.util.List;

/// A superstep that was committed.
///
/// @param number from 1
/// @param nodes its tasks in task order: a node that runs ten times stands in it ten times
/// @param dispatches that it has sent, in task order; they run in the next superstep
/// @param state after it
public record TestSuperstep(
    int number, List<String> nodes, List<Dispatch> dispatches, GraphState state) {
  public TestSuperstep {
    nodes = List.copyOf(nodes);
    dispatches = List.copyOf(dispatches);
  }
}
