package dev.superstep.engine.run;

import dev.superstep.graph.Node;
import dev.superstep.state.value.Value;
import org.jspecify.annotations.Nullable;

/// One execution of one node in one superstep (E7).
///
/// @param dispatch null for a plain activation
public record Task(TaskKey key, Node node, @Nullable Dispatch dispatch) {

  /// Whether this is no node of the graph, but work of the engine: a compaction.
  public boolean isEngines() {
    return node.id().isReserved();
  }

  /// The dispatch input, or JSON null for a plain activation (E10.2).
  public Value input() {
    return dispatch == null ? Value.NULL : dispatch.input();
  }
}
