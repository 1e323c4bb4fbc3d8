package dev.superstep.run;

/// How a diagram of a run shows a node.
public enum NodeMark {
  DONE,
  ACTIVE,
  FAILED,
  INTERRUPTED
}
