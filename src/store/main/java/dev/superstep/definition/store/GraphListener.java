package dev.superstep.definition.store;

import dev.superstep.state.value.ObjectValue;

/// Keeps what goes with the newest version of a graph. Called in the transaction of the change, in
/// which the row of the graph is locked; what it throws undoes the change.
public interface GraphListener {
  /// This is the newest version from now on, or still is.
  ///
  /// @param graph as rows have it
  void posted(String graph, int version, ObjectValue definition);

  /// The graph is deleted.
  ///
  /// @param graph as rows have it
  void hidden(String graph);
}
