package dev.superstep.run.view;

/// How a diagram of a run shows a node.
public enum NodeStatus {
  DONE,
  HANDLED,
  ACTIVE,
  FAILED,
  INTERRUPTED
}
