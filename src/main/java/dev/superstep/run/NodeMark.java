package dev.superstep.run;

/// How a diagram of a run shows a node.
public enum NodeMark {
  DONE,
  HANDLED,
  ACTIVE,
  FAILED,
  INTERRUPTED
}
