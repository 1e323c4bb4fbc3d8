package dev.superstep.definition.read;

/// The status of a node in a run, as diagrams show it.
public enum Mark {
  DONE,
  /// Its failure was taken care of by the graph.
  HANDLED,
  ACTIVE,
  FAILED,
  INTERRUPTED
}
