package dev.superstep.run;

/// How a diagram of a run shows a node.
public enum NodeStatus {
  DONE,
  HANDLED,
  ACTIVE,
  FAILED,
  INTERRUPTED
}
